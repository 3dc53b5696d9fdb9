import {
  INVENTORY_SCHEMA_VERSION,
  inventorySchema,
  type Inventory,
} from '../../model/inventory.js';
import { throwAll } from '../../model/user-error.js';
import { readIfThere } from '../platform/files.js';
import { inventoryUnreadable, inventoryVersion } from './errors.js';

/** Reads an inventory file; throws all that is wrong with it as UserErrors. */
export async function readInventory(file: string): Promise<Inventory> {
  const text = await readIfThere(file);
  if (text === undefined) throw inventoryUnreadable({ file }, 'there is no such file');
  const json = parse(text, file);
  const version = versionOf(json);
  if (version !== INVENTORY_SCHEMA_VERSION) {
    throw inventoryVersion(file, version, INVENTORY_SCHEMA_VERSION);
  }
  const parsed = inventorySchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map(({ path, message }) =>
    inventoryUnreadable({ file }, `${path.join('.')}: ${message}`),
  );
  throwAll(errors);
  throw new Error(`${file} was refused without a reason`);
}

function parse(text: string, file: string): unknown {
  try {
    return unwrapped(JSON.parse(text));
  } catch (error) {
    throw inventoryUnreadable({ file }, error instanceof Error ? error.message : 'it is not JSON');
  }
}

/** `terraform output -json inventory` gives it bare, `terraform output -json` under its name. */
function unwrapped(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || !('inventory' in json)) return json;
  const { inventory } = json;
  if (typeof inventory !== 'object' || inventory === null) return json;
  return 'value' in inventory ? inventory.value : inventory;
}

function versionOf(json: unknown): unknown {
  return typeof json === 'object' && json !== null && 'schemaVersion' in json
    ? json.schemaVersion
    : undefined;
}
