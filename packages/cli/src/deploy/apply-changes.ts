import type { Client } from 'setpoint/client'
import type { PlannedChange } from './plan/plan-changes.ts'

/** Applies the changes of a plan in order. */
export async function applyChanges(
  client: Client,
  plan: readonly PlannedChange[],
  force: boolean,
): Promise<void> {
  for (const { object, action } of plan) {
    const { kind, manifest } = object
    if (action === 'create' || action === 'change') {
      await client.apply(kind, manifest, { force })
    } else if (action === 'delete') await client.delete(kind, manifest.metadata)
  }
}
