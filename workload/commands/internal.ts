import type { Command } from 'commander';
import type { CommandContext } from './context.js';

/** `meshscale internal …`: the long-lived processes of a local mesh that are ours. Not for people. */
export function registerInternal(program: Command, context: CommandContext): void {
  const internal = program.command('internal', { hidden: true });
  internal
    .command('agent-controller')
    .requiredOption('--kubeconfig <F>')
    .requiredOption('--cluster-name <name>')
    .requiredOption('--cluster-id <id>')
    .requiredOption('--port <port>')
    .action(async (flags: Readonly<Record<string, string>>) => {
      const { agentControllerMain } = await import('../../local/agent-controller/entry.js');
      await agentControllerMain({
        kubeconfig: flags['kubeconfig'] ?? '',
        clusterName: flags['clusterName'] ?? '',
        clusterId: Number(flags['clusterId']),
        port: Number(flags['port']),
        clock: context.clock,
        signal: context.signal,
        log: logLine(context),
      });
    });
  internal
    .command('link-relay')
    .requiredOption('--links <F>')
    .requiredOption('--port <port>')
    .action(async (flags: Readonly<Record<string, string>>) => {
      const { runLinkRelay } = await import('../../local/links/link-relay-main.js');
      await runLinkRelay({
        links: flags['links'] ?? '',
        port: Number(flags['port']),
        clock: context.clock,
        signal: context.signal,
      });
    });
}

function logLine(context: CommandContext): (line: string) => void {
  return (line) => {
    process.stderr.write(`${new Date(context.clock.now()).toISOString()} ${line}\n`);
  };
}
