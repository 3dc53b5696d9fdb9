import {
  INVENTORY_SCHEMA_VERSION,
  inventorySchema,
  type Inventory,
} from '../../model/inventory.js';
import { throwRefusal } from '../../model/user-error.js';
import { checkVersioned } from '../../model/versioned-json.js';
import { readIfThere } from '../platform/files.js';
import { inventoryUnreadable, inventoryVersion } from './errors.js';

/** Reads an inventory file; throws all that is wrong with it as UserErrors. */
export async function readInventory(file: string): Promise<Inventory> {
  const text = await readIfThere(file);
  if (text === undefined) throw inventoryUnreadable({ file }, 'there is no such file');
  return parseInventory(text, file);
}

/** An inventory as text, from a file or from Terraform's outputs; throws all that is wrong with it. */
export function parseInventory(text: string, file: string): Inventory {
  const reading = checkVersioned(parse(text, file), inventorySchema, INVENTORY_SCHEMA_VERSION);
  switch (reading.state) {
    case 'read':
      return reading.value;
    case 'other-version':
      throw inventoryVersion(file, reading.given, reading.known);
    case 'broken':
      return throwRefusal(
        reading.problems.map((problem) => inventoryUnreadable({ file }, problem)),
        file,
      );
  }
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
