import type { Command } from 'commander';
import type { CommandContext } from './context.js';

/** `meshscale doctor`: what works on this machine, and what to do about the rest. */
export function registerDoctor(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description('What works on this machine, and what to do about the rest.')
    .action(async () => {
      const { tellHealth } = await import('./doctor-report.js');
      await tellHealth(context);
    });
}
