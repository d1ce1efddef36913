import {
  CommandError,
  type CommandInput,
  exitCodes,
  type OptionDeclaration,
} from '../command/index.ts'
import type { ManifestOptions } from './manifest-settings.ts'

/** What changes the manifests for one call; what should last is in package.json under "setpoint". */
export const manifestFlags: readonly OptionDeclaration[] = [
  { name: 'image', value: 'IMAGE', summary: 'the image of the operators' },
  { name: 'namespace', short: 'n', value: 'NAME', summary: 'the namespace they are deployed to' },
  { name: 'replicas', value: 'N', summary: 'how many pods of them there are' },
]

/** The options of one call. */
export function manifestOptions(input: CommandInput): ManifestOptions {
  const replicas = input.value('replicas')
  if (replicas !== undefined && !/^\d{1,4}$/.test(replicas)) {
    throw new CommandError(`--replicas is ${JSON.stringify(replicas)}, not a number of pods`, {
      exitCode: exitCodes.usage,
    })
  }
  return {
    image: input.value('image'),
    namespace: input.value('namespace'),
    replicas: replicas === undefined ? undefined : Number(replicas),
  }
}
