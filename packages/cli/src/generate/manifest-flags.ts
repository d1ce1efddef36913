import {
  CommandError,
  type CommandInput,
  exitCodes,
  type OptionDeclaration,
} from '../command/index.ts'
import type { ManifestOptions } from './manifest-settings.ts'

/** Override the settings of package.json for one call. */
export const manifestFlags: readonly OptionDeclaration[] = [
  { name: 'image', value: 'IMAGE', summary: 'the image of the operators' },
  { name: 'namespace', short: 'n', value: 'NAME', summary: 'the namespace of the operators' },
  { name: 'replicas', value: 'N', summary: 'the number of pods' },
]

/** The values of these options. */
export function manifestOptions(input: CommandInput): ManifestOptions {
  const replicas = input.value('replicas')
  if (replicas !== undefined && !/^\d{1,4}$/.test(replicas)) {
    throw new CommandError(
      `--replicas is ${JSON.stringify(replicas)}, which is not a number of pods`,
      {
        exitCode: exitCodes.usage,
      },
    )
  }
  return {
    image: input.value('image'),
    namespace: input.value('namespace'),
    replicas: replicas === undefined ? undefined : Number(replicas),
  }
}
