import type { JsonObject } from 'setpoint/schema'

/** A warning where this server stores a field or kind that only a real one acts on. */
export function notEnforced({ kind }: { readonly kind: string }, object: JsonObject): string[] {
  if (kind !== 'CustomResourceDefinition') return []
  const { conversion } = object['spec'] as { conversion?: { strategy?: string } }
  if (conversion?.strategy === 'Webhook') {
    return [
      'setpoint: the conversion webhook is stored, but the embedded cluster does not call it yet: objects are converted as with strategy None, and lose the fields that the other version does not have',
    ]
  }
  return []
}
