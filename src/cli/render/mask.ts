/** What stands in the place of a secret. */
export const MASK = '***';

const SECRET_NAME =
  /token|secret|passw|passphrase|pass$|api[-_]?key|private[-_]?key|access[-_]?key|credential|^auth$|authorization|cookie/i;
/** Environment names are held to a wider rule: `DEPLOY_KEY`, `SIGNING_KEY_B64`. */
const SECRET_ENV = /(^|_)KEY(_|$)|APIKEY/i;
/** A value that only names a variable or a file is no secret: `$TOKEN`, `${TOKEN}`, `$(pass show x)`, `@file`. */
const REFERENCE = /^["']?(\$[\w{(]|@)/;
/** `--token-file`: the value is a place, not a secret. */
const PLACE = /-(file|path|dir|stdin|name|env)$/i;
/** `-u 1000:1000` names a user and a group. */
const NUMERIC_IDS = /^\d+:\d+$/;
const VALUE = String.raw`("(?:[^"\\]|\\.)*"|'[^']*'|[^\s;&|)'"]+)`;

/** Every repetition is bounded or starts at a word's first letter, so a hostile command costs linear time. */
const OPTION = new RegExp(String.raw`(?<![\w-])(--?)([A-Za-z][\w-]{0,60})(=|\s+)${VALUE}`, 'g');
const ASSIGNMENT = new RegExp(String.raw`(?<![\w-])([A-Za-z_][\w-]{0,60})=${VALUE}`, 'g');
const FIELD = /(["'])([A-Za-z_][\w-]{0,60})\1(\s{0,8}:\s{0,8})("(?:[^"\\]|\\.)*"|'[^']*')/g;
const HEADER =
  /(?<![\w-])([A-Za-z][\w-]{0,60}):([ \t]{0,8})(?:(Bearer|Basic|Token|Digest)[ \t]{1,8})?([^"'\r\n]+)/gi;
const URL_LOGIN = /(:\/\/[^\s/:@'"]{0,200}):([^\s/@'"]{1,500})@/g;
const USER_LOGIN = /(?<![\w-])(-u|--user)([ =]\s{0,8})(["']?)([^\s:"']{1,200}):([^\s"']{1,500})/g;
/** Programs whose `-p` takes a password; elsewhere `-p` is a port, a path or a flag. */
const SHORT_PASSWORD =
  /(?<![\w-])((?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b[^;&|\n]{0,300}?\s-p|(?:sshpass|(?:docker|podman|nerdctl|helm\s+registry)\s+login)\b[^;&|\n]{0,300}?\s-p\s{1,8})([^\s;&|-][^\s;&|]{0,500})/g;
/** Tokens that their issuers made recognisable by a prefix. */
const KNOWN_TOKEN =
  /(?<![\w-])(?:gh[pousr]_\w{20,255}|github_pat_\w{20,255}|glpat-[\w-]{20,64}|npm_\w{30,64}|sk-[\w-]{20,200}|xox[abeoprs]-[\w-]{10,200}|AKIA[0-9A-Z]{16}|AIza[\w-]{35}|eyJ[\w-]{8,2000}\.eyJ[\w-]{8,4000}\.[\w-]{8,1000})/g;
const PRIVATE_KEY =
  /-----BEGIN ([A-Z ]{0,40}PRIVATE KEY)-----(?:(?!-----END)[\s\S]){0,20000}(?:-----END \1-----|$)/g;

/**
 * The command text with obvious secrets replaced by `***`, for listings that people show around. It looks only at
 * form (option, assignment, header, login in a URL, known token prefixes), so it can miss a secret: the archive
 * itself keeps the command as it was.
 */
export function maskSecrets(command: string): string {
  return command
    .replace(PRIVATE_KEY, `-----BEGIN $1-----${MASK}`)
    .replace(KNOWN_TOKEN, MASK)
    .replace(URL_LOGIN, `$1:${MASK}@`)
    .replace(USER_LOGIN, (all, option: string, gap: string, quote: string, user: string, value: string) =>
      REFERENCE.test(value) || NUMERIC_IDS.test(`${user}:${value}`)
        ? all
        : `${option}${gap}${quote}${user}:${MASK}`,
    )
    .replace(SHORT_PASSWORD, (all, before: string, value: string) =>
      REFERENCE.test(value) ? all : before + MASK,
    )
    .replace(HEADER, maskHeader)
    .replace(FIELD, (all, quote: string, name: string, gap: string, value: string) =>
      SECRET_NAME.test(name) ? `${quote}${name}${quote}${gap}${masked(value)}` : all,
    )
    .replace(OPTION, (all, dashes: string, name: string, gap: string, value: string) =>
      SECRET_NAME.test(name) && !PLACE.test(name) && !value.startsWith('-')
        ? `${dashes}${name}${gap}${masked(value)}`
        : all,
    )
    .replace(ASSIGNMENT, (all, name: string, value: string) =>
      SECRET_NAME.test(name) || SECRET_ENV.test(name) ? `${name}=${masked(value)}` : all,
    );
}

function maskHeader(
  all: string,
  name: string,
  gap: string,
  scheme: string | undefined,
  value: string,
): string {
  if (!SECRET_NAME.test(name) && !SECRET_ENV.test(name.replaceAll('-', '_'))) return all;
  if (REFERENCE.test(value)) return all;
  return `${name}:${gap}${scheme ? `${scheme} ` : ''}${MASK}`;
}

/** The mask in the quotes of the value; a reference stays readable. */
function masked(value: string): string {
  if (REFERENCE.test(value)) return value;
  const quote = value[0] === '"' || value[0] === "'" ? value[0] : '';
  return `${quote}${MASK}${quote}`;
}
