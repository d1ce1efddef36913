import { clusterOptions } from '../access/index.ts'
import type { CommandDeclaration } from '../command/index.ts'
import { jsonOption } from './shared-options.ts'

/** Types for kinds of others. */
export const kindsCommand: CommandDeclaration = {
  name: 'kinds',
  summary: 'write types for custom resources of others, from their CRDs',
  details: `Writes one TypeScript module per CRD, with the types of its versions and a value for each that operators and
clients take. --from names a file with CRDs (several documents are fine, other objects in it are left out), a folder of
such files, - for the standard input, or cluster for those of the cluster.`,
  arguments: [
    {
      name: 'NAME',
      summary:
        'only these: a CRD, a kind or a group; all of a file, and none of a cluster, unless given',
      isOptional: true,
      isRepeated: true,
    },
  ],
  options: [
    { name: 'from', value: 'SOURCE', summary: 'a file, a folder, - or cluster' },
    { name: 'output', short: 'o', value: 'DIR', summary: 'where to write; src/kinds unless given' },
    {
      name: 'check',
      summary: 'write nothing; end with 1 when a file is missing or not up to date',
    },
    jsonOption,
    ...clusterOptions,
  ],
  examples: [
    { command: 'setpoint kinds --from cert-manager.crds.yaml', what: 'all CRDs of a file' },
    {
      command: 'setpoint kinds --from cluster cert-manager.io',
      what: 'all of a group, from the cluster',
    },
    {
      command: 'kubectl get crd certificates.cert-manager.io -o yaml | setpoint kinds --from -',
      what: 'from a pipe',
    },
  ],
  load: async () => (await import('../kinds/index.ts')).runKinds,
}
