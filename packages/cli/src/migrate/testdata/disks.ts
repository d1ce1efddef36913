import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { defineKind, type StoredMetadata } from 'setpoint/kinds'

const identity = { group: 'example.com', kind: 'Disk' } as const

const oldSpec = z.object({ sizeGi: z.int32() })

/** The first release: one version. */
export const FirstDisk = defineResource({ ...identity, version: 'v1', spec: oldSpec })

/** The second release: objects are stored as v2, and v1 is served. 13 cannot be converted. */
export const Disk = defineResource({
  ...identity,
  version: 'v2',
  spec: z.object({ size: z.string() }),
  versions: {
    v1: {
      spec: oldSpec,
      up: ({ spec }) => {
        if (spec.sizeGi === 13) throw new Error('13 is not a size')
        return { spec: { size: `${spec.sizeGi}Gi` } }
      },
      down: ({ spec }) => ({ spec: { sizeGi: Number.parseInt(spec.size, 10) } }),
    },
  },
})

/** The third release: only v2. */
export const LastDisk = defineResource({
  ...identity,
  version: 'v2',
  spec: z.object({ size: z.string() }),
})

/** A disk in v1, as old clients use it. */
export interface OldDisk {
  apiVersion: 'example.com/v1'
  kind: 'Disk'
  metadata: StoredMetadata<'Namespaced'>
  spec: { sizeGi: number }
}

/** The kind of disks in v1. */
export const OldDisk = defineKind<OldDisk>({
  apiVersion: 'example.com/v1',
  kind: 'Disk',
  plural: 'disks',
  singular: 'disk',
  scope: 'Namespaced',
})

/** The operator of the second release, which converts. */
export const disks = operator(Disk).reconcile(async () => undefined)
