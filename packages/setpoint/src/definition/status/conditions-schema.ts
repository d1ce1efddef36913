import type { StructuralSchema } from '../../schema/index.ts'

/**
 * `status.conditions` as in every Kubernetes API: a list map by `type`, so that several controllers
 * can each own their conditions. The types are not an enum: other controllers may add conditions
 * that this definition does not know.
 */
export const conditionsSchema: StructuralSchema = {
  type: 'array',
  description: 'Observations of the current state, one of each type.',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: {
    type: 'object',
    required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
    properties: {
      type: {
        type: 'string',
        maxLength: 316,
        pattern:
          '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
      },
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
      lastTransitionTime: { type: 'string', format: 'date-time' },
      reason: {
        type: 'string',
        minLength: 1,
        maxLength: 1024,
        pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
      },
      message: { type: 'string', maxLength: 32768 },
    },
  },
}

/**
 * A condition type is a name of letters, optionally with a domain prefix: `Ready`,
 * `example.com/Synced`.
 */
export function isConditionType(type: string): boolean {
  const { pattern, maxLength } = conditionsSchema.items?.properties?.['type'] ?? {}
  return type.length <= (maxLength ?? 0) && new RegExp(pattern ?? '').test(type)
}
