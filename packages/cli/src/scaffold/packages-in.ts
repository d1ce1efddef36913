import { isAbsolute, join } from 'node:path'
import { type CommandContext, CommandError } from '../command/index.ts'
import { version } from '../version.ts'
import type { PackageSource } from './project-files.ts'

/**
 * The packages of Setpoint from a folder of `npm pack` tarballs, for unreleased versions. The
 * project gets copies of the tarballs, so that it can be moved, committed and built in an image.
 */
export async function packagesIn(
  { host, folder }: CommandContext,
  given: string,
): Promise<PackageSource> {
  const from = isAbsolute(given) ? given : join(folder, given)
  const names = (await host.fileInfo(from))?.isDirectory ? await host.listDirectory(from) : []
  const tarballs = new Map(
    (['setpoint', '@setpoint/cluster', '@setpoint/sim', '@setpoint/cli'] as const).map((name) => {
      const tarball = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
      if (names.includes(tarball)) return [name, tarball]
      throw new CommandError(`there is no ${tarball} in ${given}`, {
        hint: 'in a clone of Setpoint, npm run try -- NAME creates the tarballs and a project that uses them',
      })
    }),
  )
  return {
    versionOf: (name) => `file:vendor/${tarballs.get(name) ?? ''}`,
    tarballs: new Map([...tarballs.values()].map((name) => [`vendor/${name}`, join(from, name)])),
  }
}
