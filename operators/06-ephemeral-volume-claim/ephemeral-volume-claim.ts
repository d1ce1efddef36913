import * as z from 'zod'
import { defineResource, quantity } from 'setpoint'

/** Storage that is there as long as somebody wants it to be. */
export const EphemeralVolumeClaim = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'EphemeralVolumeClaim',
  shortNames: ['evc'],
  spec: z.object({ size: quantity().describe('How much storage to ask for.') }),
  status: z.object({ createFn: z.object({ 'pvc-name': z.string() }).optional() }),
  conditions: ['Ready'],
  columns: { Size: '.spec.size' },
})
