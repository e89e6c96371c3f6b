declare const __CAVEMAN_VERSION__: string | undefined;

/** Version of this build; set by the bundler from package.json. */
export const VERSION: string = typeof __CAVEMAN_VERSION__ === 'string' ? __CAVEMAN_VERSION__ : '0.0.0-dev';
/** WebSocket subprotocol. */
export const SUBPROTOCOL = 'caveman.v1';
/** The `version` of `hello`: raised when an old peer could misread a new one. Additions are capabilities. */
export const PROTOCOL_VERSION = 1;
