import * as z from 'zod'
import { defineResource, duration, immutable, quantity } from 'setpoint'

/** A database with storage, backups and upgrades: the example of the Kubernetes operator page. */
export const SampleDB = defineResource({
  group: 'databases.example.com',
  version: 'v1alpha1',
  kind: 'SampleDB',
  spec: z.object({
    version: z
      .string()
      .regex(/^\d+(\.\d+)*$/)
      .describe('The version of the database to run.'),
    storage: z
      .object({
        size: quantity().default('1Gi').describe('The size of the volume; it may only grow.'),
        className: z.string().optional().check(immutable()),
      })
      .prefault({}),
    backup: z
      .object({
        every: duration().default('24h'),
        keep: z.int32().min(1).max(100).default(7),
      })
      .optional(),
  }),
  status: z.object({
    version: z.string().optional().describe('The version that is running now.'),
    lastBackupTime: z.iso.datetime().optional(),
  }),
  conditions: ['Ready', 'BackedUp'],
  columns: {
    Version: '.status.version',
    Size: '.spec.storage.size',
    Ready: '.status.conditions[?(@.type=="Ready")].status',
    'Last Backup': '.status.lastBackupTime',
  },
})
