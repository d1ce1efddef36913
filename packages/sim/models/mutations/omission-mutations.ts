import { PodDisruptionBudget, Secret, StatefulSet } from 'setpoint/kinds'
import { operatorWith as m01 } from '../crash/m01-first-of-two-guard.ts'
import { compareWithPods, operatorWith as m03 } from '../crash/m03-restart-flag-after-config.ts'
import { operatorWith as m05, templateSize } from '../crash/m05-resize-guarded-by-template.ts'
import { changeInPlace, operatorWith as m13 } from '../stale/m13-budget-replaced.ts'
import { ifNotOnServer, operatorWith as m16 } from '../stale/m16-soft-owned-secrets.ts'
import { createIfMissing } from '../support/create-or-update.ts'
import { deleteExactly } from '../support/delete-exactly.ts'
import { gibibytes } from '../support/gibibytes.ts'
import { operatorWith as m19 } from '../unseen/m19-claim-of-seen-pod.ts'
import type { Mutation } from './mutation.ts'

/** Fields that are ignored, and objects that are not removed. */
export const omissionMutations: readonly Mutation[] = [
  {
    id: 'X15',
    of: 'M01',
    what: 'creates the secrets without an owner reference',
    program: m01(async (tools, certificates) => {
      for (const one of certificates) {
        const metadata = { ...one.metadata, ownerReferences: [] }
        await createIfMissing(tools, Secret, { ...one, metadata })
      }
    }),
  },
  {
    id: 'X16',
    of: 'M03',
    what: 'does not restart pods that run an old configuration',
    program: m03({ ...compareWithPods, isOutdated: () => false }),
  },
  {
    id: 'X17',
    of: 'M05',
    what: 'changes the claim template and not the claims',
    program: m05(async (tools, cluster, set) => {
      if (set === undefined || templateSize(set) >= gibibytes(cluster.spec.storage)) return false
      await deleteExactly(tools.client, StatefulSet, { object: set, propagation: 'Orphan' })
      return true
    }),
  },
  {
    id: 'X18',
    of: 'M13',
    what: 'ignores maxUnavailable after the budget was created',
    program: m13({
      ...changeInPlace,
      ensureBudget: async (tools, budget) => {
        await createIfMissing(tools, PodDisruptionBudget, budget)
      },
    }),
  },
  {
    id: 'X19',
    of: 'M16',
    what: 'never deletes the secrets of a deleted cluster',
    program: m16({ ...ifNotOnServer, deleteSecrets: async () => undefined }),
  },
  {
    id: 'X20',
    of: 'M19',
    what: 'skips the deletion of surplus claims',
    program: m19(async () => undefined),
  },
]
