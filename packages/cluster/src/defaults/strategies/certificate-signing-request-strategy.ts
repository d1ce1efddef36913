import type { CertificateSigningRequest, CertificateSigningRequestCondition } from 'setpoint/kinds'
import { keepField } from './field-access.ts'
import type { ChangedObject, NewObject, Strategy } from './strategy.ts'

type Conditions = CertificateSigningRequestCondition[]

function conditionsOf({ object }: NewObject): Conditions {
  return (object as unknown as CertificateSigningRequest).status?.conditions ?? []
}

/** Sets the missing update and transition times of conditions. */
function stampConditions(changed: ChangedObject): void {
  const { now, old } = changed
  if (now === undefined) return
  const before = conditionsOf({ object: old })
  for (const condition of conditionsOf(changed)) {
    condition.lastUpdateTime ??= now
    const same = before.find(({ type, status }) => {
      return type === condition.type && status === condition.status
    })
    condition.lastTransitionTime ??= same?.lastTransitionTime ?? now
  }
}

/**
 * The conditions Approved and Denied are written at the approval endpoint; a write of the status
 * keeps them.
 */
function keepDecisions(changed: ChangedObject): void {
  const conditions = conditionsOf(changed)
  const before = conditionsOf({ object: changed.old })
  for (const decision of ['Approved', 'Denied']) {
    const kept = before.filter(({ type }) => type === decision)
    const given = conditions.filter(({ type }) => type === decision)
    if (kept.length !== given.length) continue
    for (const condition of given) {
      const original = kept.shift()
      if (original !== undefined) conditions[conditions.indexOf(condition)] = { ...original }
    }
  }
}

/** The user in the spec is the authenticated user, not what the client sent. */
function recordUser({ object, user }: NewObject): void {
  if (user === undefined) return
  const { spec } = object as unknown as CertificateSigningRequest
  const { username, uid, groups = [], extra = {} } = user
  spec.username = username
  if (uid === undefined || uid === '') delete spec.uid
  else spec.uid = uid
  if (groups.length === 0) delete spec.groups
  else spec.groups = [...groups]
  if (Object.keys(extra).length === 0) delete spec.extra
  else spec.extra = structuredClone(extra) as Record<string, string[]>
}

/** The approval endpoint changes only the conditions. */
function approve(changed: ChangedObject): void {
  stampConditions(changed)
  const { object, old } = changed
  const conditions = conditionsOf(changed)
  keepField(object, old, 'spec')
  keepField(object, old, 'status')
  const request = object as unknown as CertificateSigningRequest
  request.status ??= {}
  if (conditions.length === 0) delete request.status.conditions
  else request.status.conditions = conditions
}

export const certificateSigningRequestStrategy: Strategy = {
  status: 'wiped',
  onCreate: recordUser,
  onUpdate: ({ object, old }) => {
    keepField(object, old, 'spec')
  },
  onStatusUpdate: (changed) => {
    keepDecisions(changed)
    stampConditions(changed)
  },
  subresources: { approval: approve },
}
