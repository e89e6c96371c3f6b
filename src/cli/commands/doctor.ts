import type { Command } from 'commander';
import { startTokenizer } from '../../runtime/tokens/count.ts';
import type { Check, Finding } from '../doctor/check.ts';
import { machineChecks } from '../doctor/machine.ts';
import { SHELLS, shellCheck } from '../doctor/shell-trial.ts';
import { writeJson, writeOut } from '../output.ts';
import { EXIT } from '../render/errors.ts';
import { type Paint, paintFor, type Style } from '../render/paint.ts';
import { oneLine } from '../render/plain.ts';
import { plural } from '../render/units.ts';
import { type Call, example, type Verb } from '../verb.ts';

/** All checks, in order; one that is added here is also in `--json`. */
function checks(): Check[] {
  return [...machineChecks(), ...SHELLS.map(shellCheck)];
}

export const verb: Verb = {
  define(command: Command): void {
    command.option('--json', 'as a JSON object');
    example(command, 'caveman doctor');
  },
  async run({ options }: Call): Promise<number> {
    startTokenizer();
    const paint = paintFor(process.stdout);
    const all = checks();
    const width = Math.max(...all.map((check) => check.name.length));
    const findings: (Finding & { name: string })[] = [];
    // One after the other: each is shown as soon as it is known.
    for (const check of all) {
      const finding = { name: check.name, ...(await check.run()) };
      findings.push(finding);
      if (!options['json']) writeOut(renderFinding(finding, width, paint));
    }
    const problems = findings.filter((finding) => finding.state === 'bad').length;
    if (options['json']) writeJson({ healthy: problems === 0, checks: findings });
    else writeOut(problems === 0 ? '\nall is well\n' : `\n${plural(problems, 'problem')}\n`);
    return problems === 0 ? EXIT.ok : EXIT.negative;
  },
};

const SIGNS: Readonly<Record<Finding['state'], readonly [string, Style]>> = {
  ok: ['ok  ', 'green'],
  warn: ['warn', 'yellow'],
  bad: ['bad ', 'red'],
  skip: ['–   ', 'dim'],
};

export function renderFinding(finding: Finding & { name: string }, width: number, paint: Paint): string {
  const [sign, style] = SIGNS[finding.state];
  const line = `${paint(style, sign)}  ${finding.name.padEnd(width)}  ${oneLine(finding.detail)}\n`;
  if (!finding.cure) return line;
  return `${line}${' '.repeat(sign.length + 2 + width + 2)}${paint('cyan', `→ ${finding.cure}`)}\n`;
}
