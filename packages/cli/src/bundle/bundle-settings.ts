import type { ManifestSettings } from '../generate/index.ts'
import type { BundleSettings, Project } from '../project/index.ts'

/** Options of a call, which override the settings under `"bundle"`. */
export interface BundleOptions {
  readonly channels?: readonly string[] | undefined
  readonly defaultChannel?: string | undefined
  readonly replaces?: string | undefined
  readonly skips?: readonly string[] | undefined
  readonly skipRange?: string | undefined
}

/** What identifies a bundle, and its place in its channels. */
export interface BundleIdentity {
  readonly packageName: string
  readonly version: string
  /** The name of the ClusterServiceVersion. */
  readonly csvName: string
  readonly channels: readonly string[]
  readonly defaultChannel: string
  readonly replaces: string | undefined
  readonly skips: readonly string[]
  readonly skipRange: string | undefined
}

/** The identity of a bundle: options override settings, settings override defaults. */
export function bundleIdentity(
  project: Project,
  { name }: ManifestSettings,
  options: BundleOptions,
): BundleIdentity {
  const settings: BundleSettings = project.settings.bundle ?? {}
  const channels = options.channels ?? settings.channels ?? ['stable']
  const fullName = (version: string): string =>
    /^\d/.test(version) ? `${name}.v${version}` : version
  const replaces = options.replaces ?? settings.replaces
  const skips = options.skips ?? settings.skips ?? []
  return {
    packageName: name,
    version: project.version,
    csvName: fullName(project.version),
    channels,
    defaultChannel: options.defaultChannel ?? settings.defaultChannel ?? channels[0] ?? 'stable',
    replaces: replaces === undefined ? undefined : fullName(replaces),
    skips: skips.map(fullName),
    skipRange: options.skipRange ?? settings.skipRange,
  }
}
