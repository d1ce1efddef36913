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
  { name: 'monitoring', summary: 'add a ServiceMonitor, alerts and a Grafana dashboard' },
  { name: 'no-monitoring', summary: 'leave these out, even if package.json asks for them' },
  { name: 'network-policy', summary: 'add a NetworkPolicy, even for operators without webhooks' },
  { name: 'disruption-budget', summary: 'add a PodDisruptionBudget, with more than one replica' },
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
  const [monitoring, noMonitoring] = [input.has('monitoring'), input.has('no-monitoring')]
  if (monitoring && noMonitoring) {
    throw new CommandError('--monitoring and --no-monitoring exclude each other', {
      exitCode: exitCodes.usage,
    })
  }
  return {
    image: input.value('image'),
    namespace: input.value('namespace'),
    replicas: replicas === undefined ? undefined : Number(replicas),
    monitoring: monitoring ? true : noMonitoring ? false : undefined,
    networkPolicy: input.has('network-policy') ? true : undefined,
    disruptionBudget: input.has('disruption-budget') ? true : undefined,
  }
}
