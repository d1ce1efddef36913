import { Pod } from 'setpoint/kinds'
import { compareWithPods, operatorWith as m03 } from '../crash/m03-restart-flag-after-config.ts'
import {
  ifLarger,
  operatorWith as m12,
  RabbitmqCluster,
} from '../stale/m12-resize-in-any-direction.ts'
import { operatorWith as m14, refuseOlder } from '../stale/m14-claims-beyond-old-size.ts'
import {
  byCurrentFlag,
  operatorWith as m15,
  PerconaServerMongoDB,
} from '../stale/m15-switched-off-component.ts'
import { operatorWith as m29, refuse } from '../transitions/m29-silent-refusal.ts'
import { verdictOfSet } from '../support/status.ts'
import type { Mutation } from './mutation.ts'

/** Checks that are missing: preconditions, fresh reads, and what the status must say. */
export const checkMutations: readonly Mutation[] = [
  {
    id: 'X10',
    of: 'M03',
    what: 'drops the preconditions of the delete of an outdated pod',
    program: m03({
      ...compareWithPods,
      deletePod: async (client, { metadata }) => {
        if (metadata.deletionTimestamp === undefined) await client.delete(Pod, metadata)
      },
    }),
  },
  {
    id: 'X11',
    of: 'M12',
    what: 'reads the cluster from the cache',
    program: m12({
      ...ifLarger,
      readOwner: async ({ cache }, key) => cache.get(RabbitmqCluster, key),
    }),
  },
  {
    id: 'X12',
    of: 'M14',
    what: 'drops the check of the age of the cluster',
    program: m14({ ...refuseOlder, checkAge: async () => undefined }),
  },
  {
    id: 'X13',
    of: 'M15',
    what: 'reads the flag from the cache',
    program: m15({
      ...byCurrentFlag,
      readOwner: async ({ cache }, key) => cache.get(PerconaServerMongoDB, key),
    }),
  },
  {
    id: 'X14',
    of: 'M29',
    what: 'says Ready although it has refused the demand',
    program: m29(async (tools, cluster, present) => {
      const outcome = await refuse(tools, cluster, present)
      return { ...outcome, verdict: verdictOfSet(present) }
    }),
  },
]
