import * as z from 'zod'
import { defineResource, quantity } from 'setpoint'

/** A volume claim that exists as long as this object. */
export const EphemeralVolumeClaim = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'EphemeralVolumeClaim',
  shortNames: ['evc'],
  spec: z.object({ size: quantity().describe('The requested size.') }),
  status: z.object({ createFn: z.object({ 'pvc-name': z.string() }).optional() }),
  conditions: ['Ready'],
  columns: { Size: '.spec.size' },
})
