import { operatorWith as m06, scaleTo } from '../crash/m06-phase-persisted-last.ts'
import { operatorWith as m07, startAgain } from '../crash/m07-start-once.ts'
import { operatorWith as m08 } from '../crash/m08-parent-exists.ts'
import { byOwnerUid, operatorWith as m09 } from '../stale/m09-claims-by-name.ts'
import { fromServer, operatorWith as m18 } from '../stale/m18-second-disruption.ts'
import { ordinalOf } from '../support/member-set.ts'
import type { Mutation } from './mutation.ts'

/** Writes that are swapped or missing, and waits that are missing. */
export const orderMutations: readonly Mutation[] = [
  {
    id: 'X01',
    of: 'M06',
    what: 'drops the write of the state before the effect',
    program: m06((tools, cluster, { pod }) => scaleTo(tools, cluster, ordinalOf(pod))),
  },
  {
    id: 'X02',
    of: 'M07',
    what: 'removes the requeue while nodes are starting',
    program: m07(startAgain, {}),
  },
  {
    id: 'X03',
    of: 'M08',
    what: 'removes the finalizer before the external nodes',
    program: m08({ parentMustBeNew: false, releasesFirst: true }),
  },
  {
    id: 'X04',
    of: 'M08',
    what: 'sets no finalizer',
    program: m08({ parentMustBeNew: false, usesFinalizer: false }),
  },
  {
    id: 'X05',
    of: 'M09',
    what: 'removes the finalizer before the claims',
    program: m09({ ...byOwnerUid, releasesFirst: true }),
  },
  {
    id: 'X06',
    of: 'M18',
    what: 'does not wait for the pods before it restarts the next one',
    program: m18(fromServer, { waits: false }),
  },
]
