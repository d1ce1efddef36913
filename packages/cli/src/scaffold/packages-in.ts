import { isAbsolute, join } from 'node:path'
import { type CommandContext, CommandError } from '../command/index.ts'
import { version } from '../version.ts'
import type { PackageSource } from './project-files.ts'

/** The packages of Setpoint from a folder of `npm pack` tarballs, for unreleased versions. */
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
        hint: `npm pack --workspaces --pack-destination ${given} creates it`,
      })
    }),
  )
  return (name) => tarballs.get(name) ?? version
}
