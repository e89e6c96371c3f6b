import type { Command } from 'commander';
import { Detector } from '../../engine/detect.ts';
import { readInput } from '../input.ts';
import { writeJson, writeOut } from '../output.ts';
import { type Call, example, type Verb } from '../verb.ts';

export const verb: Verb = {
  define(command: Command): void {
    command.option('--json', 'as a JSON object');
    example(command, 'caveman detect < build.log');
  },
  async run({ options }: Call): Promise<number> {
    const detector = new Detector();
    // To the end, even when the answer is certain: the writer must not die of a closed pipe.
    for await (const chunk of readInput()) detector.push(chunk);
    if (options['json']) writeJson({ content_type: detector.type });
    else writeOut(`${detector.type}\n`);
    return 0;
  },
};
