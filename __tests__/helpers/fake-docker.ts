import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A container engine's command line on a PATH of its own, with the behaviour that docker documents. */
export interface FakeDocker {
  readonly env: Readonly<Record<string, string>>;
  /** Command lines so far, words joined by spaces. */
  calls(): Promise<readonly string[]>;
  /** What an image is: an executable of this machine. */
  image(name: string, file: string): Promise<void>;
  /** Ends every `logs` that follows, as a service does that is restarted. */
  breakLogs(): Promise<void>;
  /** The service is away: every command fails as docker's does. */
  stopService(): Promise<void>;
  remove(): Promise<void>;
}

/** Makes one; `name` is what the command is called. */
export async function createFakeDocker(name: 'docker' | 'podman' = 'docker'): Promise<FakeDocker> {
  const root = await mkdtemp(join(tmpdir(), 'fake-docker-'));
  const bin = join(root, 'bin');
  await mkdir(bin);
  await mkdir(join(root, 'containers'));
  const file = join(bin, name);
  await writeFile(file, `#!${process.execPath}\n${PROGRAM}`);
  await chmod(file, 0o755);
  const images: Record<string, string> = {};
  await writeFile(join(root, 'images.json'), '{}');
  return {
    env: { PATH: `${bin}:/usr/bin:/bin`, FAKE_DOCKER: root },
    calls: async () => {
      const text = await readFile(join(root, 'calls'), 'utf8').catch(() => '');
      return text.split('\n').filter((line) => line !== '');
    },
    image: async (image, executable) => {
      images[image] = executable;
      await writeFile(join(root, 'images.json'), JSON.stringify(images));
    },
    breakLogs: () => writeFile(join(root, 'break'), String(Math.random())),
    stopService: () => writeFile(join(root, 'down'), ''),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/**
 * CommonJS, because it has no ending in its name. A container is a folder: `log` with a time before
 * each line, `state.json`, and a supervisor process that runs what stands for the image.
 */
const PROGRAM = String.raw`
const fs = require('node:fs');
const path = require('node:path');
const { spawn } = require('node:child_process');
const root = process.env.FAKE_DOCKER;
const [command, ...args] = process.argv.slice(2);
const fail = (text, code = 1) => { process.stderr.write(text + '\n'); process.exit(code); };
const folderOf = (name) => path.join(root, 'containers', name);
const stateOf = (name) => {
  try { return JSON.parse(fs.readFileSync(path.join(folderOf(name), 'state.json'), 'utf8')); }
  catch { return undefined; }
};
const write = (name, state) => {
  const file = path.join(folderOf(name), 'state.json');
  fs.writeFileSync(file + '.part', JSON.stringify(state));
  fs.renameSync(file + '.part', file);
};
const missing = (name) => fail('Error response from daemon: No such container: ' + name);
if (command === 'supervise') supervise(args[0], JSON.parse(args[1]));
else {
  fs.appendFileSync(path.join(root, 'calls'), process.argv.slice(2).join(' ') + '\n');
  if (fs.existsSync(path.join(root, 'down')))
    fail('Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?');
  const commands = { version, run, ps, inspect, logs, stop, kill, rm };
  if (!(command in commands)) fail('docker: unknown command: docker ' + command);
  commands[command]();
}
function version() { process.stdout.write('28.2.2\n'); }
function run() {
  const flags = args.filter((word, index) => word.startsWith('--') && index < firstPlain());
  const image = args[firstPlain()];
  const images = JSON.parse(fs.readFileSync(path.join(root, 'images.json'), 'utf8'));
  const of = (name) => flags.filter((flag) => flag.startsWith('--' + name + '=')).map((flag) => flag.slice(name.length + 3));
  if (images[image] === undefined) fail("Unable to find image '" + image + "' locally\ndocker: Error response from daemon: pull access denied for " + image, 125);
  const [name] = of('name');
  if (stateOf(name) !== undefined) fail('docker: Error response from daemon: Conflict. The container name "/' + name + '" is already in use', 125);
  const mounts = of('mount').map((text) => Object.fromEntries(text.split(',').map((part) => part.split('='))));
  for (const { source } of mounts)
    if (!path.isAbsolute(source) || !fs.existsSync(source)) fail('docker: Error response from daemon: invalid mount config: bind source path does not exist: ' + source, 125);
  const inside = (word) => mounts.reduce((text, { source, target }) => text.replace(target, source), word);
  fs.mkdirSync(folderOf(name));
  fs.writeFileSync(path.join(folderOf(name), 'log'), '');
  write(name, { running: true, code: 0, labels: of('label') });
  const setting = { file: images[image], args: args.slice(firstPlain() + 1).map(inside), env: Object.fromEntries(of('env').map((one) => one.split('='))) };
  spawn(process.execPath, [__filename, 'supervise', name, JSON.stringify(setting)], { detached: true, stdio: 'ignore', env: process.env }).unref();
  process.stdout.write('f00d\n');
}
function firstPlain() { return args.findIndex((word) => !word.startsWith('-')); }
function supervise(name, { file, args: own, env }) {
  const child = spawn(file, own, { env: { PATH: '/usr/bin:/bin', ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  write(name, { ...stateOf(name), pid: child.pid });
  let count = 0;
  for (const stream of [child.stdout, child.stderr])
    require('node:readline').createInterface({ input: stream }).on('line', (line) => {
      count += 1;
      const stamp = new Date().toISOString().replace('Z', String(count % 1000000).padStart(6, '0') + 'Z');
      try { fs.appendFileSync(path.join(folderOf(name), 'log'), stamp + ' ' + line + '\n'); } catch {}
    });
  child.on('close', (code, signal) => {
    const state = stateOf(name);
    if (state !== undefined) write(name, { ...state, running: false, code: code ?? (signal === 'SIGTERM' ? 143 : 137) });
  });
}
function ps() {
  const wanted = args.filter((word) => word.startsWith('--filter=label=')).map((word) => word.slice(15));
  for (const name of fs.readdirSync(path.join(root, 'containers')))
    if (wanted.every((label) => stateOf(name)?.labels.some((own) => own === label || own.startsWith(label + '=')))) process.stdout.write(name + '\n');
}
function inspect() {
  const name = args.at(-1);
  const state = stateOf(name);
  if (state === undefined) return missing(name);
  process.stdout.write(args.includes('{{.Id}}') ? 'f00d\n' : state.running + ' ' + state.code + ' false\n');
}
function logs() {
  const name = args.at(-1);
  if (stateOf(name) === undefined) return missing(name);
  const since = Date.parse(args.find((word) => word.startsWith('--since='))?.slice(8) ?? 0);
  const mark = () => { try { return fs.readFileSync(path.join(root, 'break'), 'utf8'); } catch { return ''; } };
  const before = mark();
  let at = 0;
  const pump = () => {
    const { running } = stateOf(name) ?? {};
    const text = fs.readFileSync(path.join(folderOf(name), 'log'), 'utf8');
    const whole = text.slice(at, text.lastIndexOf('\n') + 1);
    at += whole.length;
    for (const line of whole.split('\n'))
      if (line !== '' && !(Date.parse(line.slice(0, 23) + 'Z') < since)) process.stdout.write(line + '\n');
    if (running && mark() === before) setTimeout(pump, 20);
  };
  pump();
}
function stop() { end('SIGTERM', Number(args[1]) * 1000); }
function kill() { end('SIGKILL', 0); }
function end(signal, grace) {
  const name = args.at(-1);
  const state = stateOf(name);
  if (state === undefined) return missing(name);
  // The process may not be there yet when this begins: its number is read each time.
  const send = (how) => { try { process.kill(-stateOf(name).pid, how); } catch {} };
  send(signal);
  const from = Date.now();
  const look = () => {
    if (!stateOf(name)?.running) return;
    if (Date.now() - from > grace) send('SIGKILL');
    setTimeout(look, 20);
  };
  look();
}
function rm() {
  for (const name of args.filter((word) => !word.startsWith('-'))) {
    const state = stateOf(name);
    if (state?.running) try { process.kill(-state.pid, 'SIGKILL'); } catch {}
    fs.rmSync(folderOf(name), { recursive: true, force: true });
  }
}
`;
