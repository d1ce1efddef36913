/**
 * create-setpoint: `npm create setpoint`, which is `setpoint new` of @setpoint/cli, bundled into a
 * package without dependencies, so that npm downloads only this package.
 */
import { mainNew } from '@setpoint/cli/new'

/** Creates a project from the arguments of this process, and ends the process. */
export async function main(): Promise<void> {
  await mainNew()
}
