import type { CrdManifest } from 'setpoint'
import { CommandError } from '../../command/index.ts'

/** A CRD as a server has it. */
export interface InstalledCrd extends CrdManifest {
  readonly status?: {
    readonly storedVersions?: readonly string[]
    readonly conditions?: readonly {
      readonly type: string
      readonly status: string
      readonly message?: string
    }[]
  }
}

/**
 * Refuses a CRD without a version in which objects may still be stored: the server could not read
 * them. The server would refuse it too, but without saying what to do.
 */
export function checkStoredVersions(
  installed: InstalledCrd | undefined,
  desired: CrdManifest,
): void {
  const versions = new Set(desired.spec.versions.map(({ name }) => name))
  const lost = (installed?.status?.storedVersions ?? []).filter((name) => !versions.has(name))
  if (lost.length === 0) return
  const { name } = desired.metadata
  const these = lost.join(' and ')
  throw new CommandError(
    `the CRD ${name} in the cluster may have objects stored as ${these}, and the definition no longer has the version ${these}`,
    {
      hint:
        `keep ${these} in \`versions\` of the definition (with served: false if clients should not use it), and run ` +
        `setpoint migrate after the new version is the stored one: it rewrites all objects and removes ${these} from status.storedVersions`,
    },
  )
}
