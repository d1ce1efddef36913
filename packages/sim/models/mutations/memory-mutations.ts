import type { ProcessContext } from '../../src/index.ts'
import { each, operatorWith as m02 } from '../crash/m02-first-of-two-certificates.ts'
import { operatorWith as m24 } from '../transitions/m24-colliding-names.ts'
import { operatorWith as m26, prune } from '../transitions/m26-never-pruned.ts'
import type { Mutation } from './mutation.ts'

/** Values that are kept in the memory of the process from one reconcile to the next. */
export const memoryMutations: readonly Mutation[] = [
  {
    id: 'X07',
    of: 'M02',
    what: 'remembers in memory for which clusters it has requested certificates',
    program: (process: ProcessContext) => {
      const requested = new Set<string>()
      return m02(async (tools, cluster) => {
        const { name } = cluster.metadata
        if (requested.has(name)) return
        await each(tools, cluster)
        requested.add(name)
      })(process)
    },
  },
  {
    id: 'X08',
    of: 'M24',
    what: 'derives the names of children from a random value of the process',
    program: (process: ProcessContext) => {
      const suffix = process.host.uuid().slice(0, 8)
      return m24(({ metadata: { name } }) => ({
        controllers: `${name}-${suffix}`,
        nodes: `${name}-nodes-${suffix}`,
      }))(process)
    },
  },
  {
    id: 'X09',
    of: 'M26',
    what: 'prunes only what the same process has created',
    program: (process: ProcessContext) => {
      const created = new Set<string>()
      return m26(
        async (tools, cluster) => {
          if (created.has(cluster.metadata.uid)) await prune(tools, cluster)
          created.delete(cluster.metadata.uid)
        },
        ({ metadata }) => created.add(metadata.uid),
      )(process)
    },
  },
]
