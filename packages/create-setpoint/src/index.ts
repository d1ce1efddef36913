/**
 * create-setpoint: `npm create setpoint`, which is `setpoint new` of @setpoint/cli, compiled into a package without
 * dependencies so that nothing has to be downloaded before the first file is written.
 */
import { mainNew } from '@setpoint/cli/new'

/** Makes a project as the words of this process say, and ends it. */
export async function main(): Promise<void> {
  await mainNew()
}
