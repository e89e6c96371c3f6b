import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskSecrets } from '../../src/cli/render/mask.ts';

const SECRET = 'hunter2-S3cr3t';

describe('maskSecrets', () => {
  it.each([
    `deploy --token ${SECRET} --force`,
    `deploy --token=${SECRET}`,
    `deploy --password "${SECRET}"`,
    `deploy --client-secret='${SECRET}'`,
    `tool -api-key ${SECRET}`,
    `API_TOKEN=${SECRET} npm publish`,
    `export AWS_SECRET_ACCESS_KEY=${SECRET}; aws s3 ls`,
    `docker run -e DB_PASSWORD=${SECRET} image`,
    `env SIGNING_KEY="${SECRET}" make`,
    `curl -H "Authorization: Bearer ${SECRET}" https://example.test`,
    `curl -H 'authorization: token ${SECRET}'`,
    `curl -H "X-Api-Key: ${SECRET}"`,
    `curl -H 'Cookie: sid=${SECRET}'`,
    `git clone https://me:${SECRET}@example.test/repo.git`,
    `curl -u me:${SECRET} https://example.test`,
    `curl --user=me:${SECRET} https://example.test`,
    `mysql -u root -p${SECRET} db`,
    `sshpass -p ${SECRET} ssh host`,
    `docker login -u me -p ${SECRET}`,
    `curl -d '{"user":"me","password":"${SECRET}"}'`,
    `curl 'https://example.test/?access_token=${SECRET}&page=2'`,
  ])('hides the value in %s', (command) => {
    const shown = maskSecrets(command);
    expect(shown).not.toContain(SECRET);
    expect(shown).toContain('***');
  });

  it.each([
    ['ghp_', 'a'.repeat(36)],
    ['xoxb-', '1234567890-abcdefghij'],
    ['AKIA', 'ABCDEFGHIJKLMNOP'],
    ['sk-', 'x'.repeat(40)],
  ])('hides a token of the form %s…', (prefix, rest) => {
    expect(maskSecrets(`echo ${prefix}${rest} | tool`)).toBe('echo *** | tool');
  });

  it('hides a private key to its end line, and to the end of the text without one', () => {
    const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----';
    expect(maskSecrets(`cat <<E\n${key}\nE`)).toBe('cat <<E\n-----BEGIN RSA PRIVATE KEY-----***\nE');
    expect(maskSecrets(key.slice(0, 40))).not.toContain('MIIE');
  });

  it.each([
    'mkdir -p src/a',
    'docker run -p 8080:80 -u 1000:1000 image',
    'sort --key=2 file',
    'deploy --token "$TOKEN" --tokens-file list',
    'API_TOKEN=$(pass show token) npm publish',
    'curl -u "$USER:$PASSWORD" https://example.test',
    'curl -H "Authorization: $AUTH" https://example.test:8080/a@b',
    'MONKEY=1 KEYBOARD=us make',
    'ssh -p 22 host',
    'git log --author=me --oneline',
    'curl -H "Accept: application/json"',
  ])('leaves %s as it is', (command) => {
    expect(maskSecrets(command)).toBe(command);
  });

  it('changes nothing in a second pass', () => {
    const piece = fc.constantFrom(
      '--token ',
      'A_KEY=',
      'x',
      '"',
      "'",
      ' ',
      '://a:b@',
      'Authorization: Bearer ',
      '$',
      '\n',
      '-p',
      ':',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const once = maskSecrets(pieces.join(''));
        expect(maskSecrets(once)).toBe(once);
      }),
    );
  });

  it('takes the longest command without trouble, whatever it repeats', () => {
    for (const piece of [
      '-',
      '--a',
      '"',
      'a',
      'mysql ',
      '://',
      '-----BEGIN PRIVATE KEY-----',
      'x:',
      'A=',
      "'\\",
    ]) {
      const command = piece.repeat(Math.ceil(32_768 / piece.length));
      expect(typeof maskSecrets(command)).toBe('string');
    }
  });
});
