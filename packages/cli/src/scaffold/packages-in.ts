import { isAbsolute, join } from 'node:path'
import { type CommandContext, CommandError } from '../command/index.ts'
import { version } from '../version.ts'
import type { PackageSource } from './project-files.ts'

/** Our packages from a folder of tarballs, as `npm pack` makes them: for a version that is not released. */
export async function packagesIn(
  { host, folder }: CommandContext,
  given: string,
): Promise<PackageSource> {
  const from = isAbsolute(given) ? given : join(folder, given)
  const names = await host.listDirectory(from)
  const tarballs = new Map(
    (['setpoint', '@setpoint/cluster', '@setpoint/cli'] as const).map((name) => {
      const tarball = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
      if (names.includes(tarball)) return [name, `file:${join(from, tarball)}`]
      throw new CommandError(`there is no ${tarball} in ${given}`, {
        hint: `npm pack --workspaces --pack-destination ${given} makes it`,
      })
    }),
  )
  return (name) => tarballs.get(name) ?? version
}
