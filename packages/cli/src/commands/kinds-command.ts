import { clusterOptions } from '../access/index.ts'
import type { CommandDeclaration } from '../command/index.ts'
import { jsonOption } from './shared-options.ts'

/** Writes types for third-party custom resources. */
export const kindsCommand: CommandDeclaration = {
  name: 'kinds',
  summary: 'write TypeScript types for third-party custom resources, from their CRDs',
  details: `Writes one TypeScript module per CRD, with a type and a kind value for each version, for operators and clients.
--from is a file with CRDs (it may have several documents; other objects in it are ignored), a folder of such files, - for
the standard input, or cluster for the CRDs of the cluster.`,
  arguments: [
    {
      name: 'NAME',
      summary: 'a CRD, a kind or a group; default: all CRDs of a file; required for a cluster',
      isOptional: true,
      isRepeated: true,
    },
  ],
  options: [
    { name: 'from', value: 'SOURCE', summary: 'a file, a folder, - or cluster' },
    {
      name: 'output',
      short: 'o',
      value: 'DIR',
      summary: 'the folder to write to; default: src/kinds',
    },
    {
      name: 'check',
      summary: 'write nothing; exit with 1 if a file is missing or not up to date',
    },
    jsonOption,
    ...clusterOptions,
  ],
  examples: [
    { command: 'setpoint kinds --from cert-manager.crds.yaml', what: 'all CRDs of a file' },
    {
      command: 'setpoint kinds --from cluster cert-manager.io',
      what: 'all CRDs of a group, from the cluster',
    },
    {
      command: 'kubectl get crd certificates.cert-manager.io -o yaml | setpoint kinds --from -',
      what: 'from a pipe',
    },
  ],
  load: async () => (await import('../kinds/index.ts')).runKinds,
}
