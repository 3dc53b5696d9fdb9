import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  AssetType,
  Construct,
  TerraformAsset,
  TerraformStack,
  type LocalExecProvisioner,
} from './cdk.js';
import { handlerNotBuilt } from './errors.js';

/** What the handler can be told to do. */
export type HandlerVerb = 'ensure' | 'leave' | 'drain' | 'settle';

/** One call of the handler from a provisioner. */
export interface HandlerCall {
  readonly verb: HandlerVerb;
  /** When Terraform calls it. */
  readonly when: 'create' | 'destroy';
  /** Most time it may take, for example `30m`; Terraform's provisioners have no limit of their own. */
  readonly timeout: string;
  /** Identities only; never a secret: they stand in Terraform's plan. */
  readonly environment: Readonly<Record<string, string>>;
}

const STACK_ID = 'meshscale-fleet-handler';
const BUNDLE = 'dist/handlers/fleet-drain.mjs';

/**
 * The program that Terraform starts at apply and at destroy: one bundled file that travels with the
 * synthesized stack and is started as `node <file> <verb> …` without a shell, so that there is
 * nothing to quote and a killed Terraform kills the program itself.
 */
export class FleetHandler extends Construct {
  /** The handler of the stack that `scope` is in; made when it is asked for first. */
  static of(scope: Construct): FleetHandler {
    const stack = TerraformStack.of(scope);
    const existing = stack.node.tryFindChild(STACK_ID);
    return existing instanceof FleetHandler ? existing : new FleetHandler(stack, STACK_ID);
  }

  /** Has the whole stack use another bundle; to be called before anything asks for one. */
  static fromFile(scope: Construct, file: string): FleetHandler {
    return new FleetHandler(TerraformStack.of(scope), STACK_ID, file);
  }

  private readonly asset: TerraformAsset;

  /** @param file - the bundle. @default - the one that this package carries */
  constructor(scope: Construct, id: string, file: string = bundledHandler()) {
    super(scope, id);
    if (!existsSync(file)) throw handlerNotBuilt(file);
    this.asset = new TerraformAsset(this, 'file', { path: file, type: AssetType.FILE });
  }

  /**
   * A provisioner. Terraform takes the command line from the current code and, at destroy, the
   * environment from the state (`self`), so identities go into the latter.
   */
  provisioner(call: HandlerCall): LocalExecProvisioner {
    const interpreter = ['node', '${path.module}/' + this.asset.path, call.verb, '--timeout'];
    return {
      type: 'local-exec',
      interpreter,
      // The last word of the command line: with an interpreter, Terraform appends `command` to it.
      command: call.timeout,
      when: call.when,
      environment: { ...call.environment },
    };
  }
}

/**
 * Built as CommonJS the package knows its own folder. From the sources, which are ES modules, it
 * finds itself by its name, seen from the working directory; `import.meta` cannot be built as
 * CommonJS.
 */
function bundledHandler(): string {
  if (typeof __dirname === 'string') return join(__dirname, '../../handlers/fleet-drain.mjs');
  const require = createRequire(join(process.cwd(), 'main.js'));
  return join(dirname(require.resolve('meshscale/package.json')), BUNDLE);
}
