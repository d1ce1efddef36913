import * as z from 'zod'
import {
  defineResource,
  type Frozen,
  immutable,
  type InferResource,
  quantity,
  rule,
} from 'setpoint'

const amounts = z.record(z.string(), quantity())

/** The size of a volume. It is a rule of the CRD, so no webhook is needed for it. */
const volumeSize = quantity()
  .default('1Gi')
  .check(
    rule('quantity(string(self)).compareTo(quantity(string(oldSelf))) >= 0', {
      message: 'a volume can only grow',
    }),
  )

const backup = z.object({
  schedule: z
    .string()
    .default('0 3 * * *')
    .describe('When backups are made, as a cron expression in UTC.'),
  keep: z.int32().min(1).max(100).default(7).describe('How many backups are kept.'),
  size: volumeSize.describe('The size of the volume with the backups; it may only grow.'),
})

/** The fields of all versions. */
const fields = {
  version: z
    .string()
    .regex(/^\d+(\.\d+)*$/)
    .max(20)
    .describe(
      'The version of PostgreSQL. A newer version upgrades the data; an older one is refused.',
    ),
  database: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,62}$/)
    .default('app')
    .check(immutable())
    .describe('The name of the database that is created, backed up and restored.'),
  initScript: z
    .string()
    .max(100_000)
    .optional()
    .check(immutable())
    .describe('SQL that is run once in the new database, in one transaction.'),
  restoreFrom: z
    .object({
      database: z
        .string()
        .describe(
          'The SampleDB in this namespace whose backup is restored. It may have been deleted.',
        ),
      backup: z
        .string()
        .optional()
        .describe('The name of a backup or snapshot. The default is the newest.'),
    })
    .optional()
    .check(immutable())
    .describe('The backup that is restored into the new database.'),
  resources: z
    .object({ requests: amounts.optional(), limits: amounts.optional() })
    .optional()
    .describe('The resource requests and limits of the server.'),
  snapshotOnDelete: z
    .boolean()
    .default(true)
    .describe('Whether a snapshot is taken before the data is deleted.'),
}

const status = z.object({
  phase: z.string().optional().describe('The current activity, or what failed.'),
  version: z.string().optional().describe('The version of the data.'),
  binding: z
    .object({ name: z.string() })
    .optional()
    .describe('The Secret for applications, as the Service Binding specification names it.'),
  lastBackup: z
    .object({ name: z.string(), time: z.iso.datetime() })
    .optional()
    .describe('The newest backup. Its name is a value for restoreFrom.backup.'),
})

/**
 * A database with storage, backups and upgrades: the example of the Kubernetes page about
 * operators.
 */
export const SampleDB = defineResource({
  group: 'databases.example.com',
  version: 'v1beta1',
  kind: 'SampleDB',
  description: 'A PostgreSQL database that is backed up, upgraded and kept running.',
  spec: z.object({
    ...fields,
    storage: z
      .object({
        size: volumeSize.describe('The size of the volume; it may only grow.'),
        storageClassName: z.string().optional().check(immutable()),
      })
      .prefault({}),
    backup: backup
      .extend({
        suspend: z.boolean().default(false).describe('Whether scheduled backups are suspended.'),
      })
      .prefault({}),
  }),
  status,
  conditions: ['Ready', 'Initialized', 'UpToDate', 'BackedUp'],
  columns: {
    Version: '.status.version',
    Phase: '.status.phase',
    Ready: '.status.conditions[?(@.type=="Ready")].status',
    'Last Backup': '.status.lastBackup.time',
    Size: { jsonPath: '.spec.storage.size', priority: 1 },
  },
  versions: {
    // The first version: `className` had a name of its own, and backups could not be suspended.
    v1alpha1: {
      spec: z.object({
        ...fields,
        storage: z
          .object({
            size: volumeSize.describe('The size of the volume; it may only grow.'),
            className: z.string().optional().check(immutable()),
          })
          .prefault({}),
        backup: backup.prefault({}),
      }),
      status,
      // An annotation keeps `suspend`.
      lossless: true,
      up: ({ spec: { storage, ...spec }, status: observed }) => ({
        spec: { ...spec, storage: { size: storage.size, storageClassName: storage.className } },
        status: observed,
      }),
      down: ({
        spec: {
          storage,
          backup: { suspend: _, ...backups },
          ...spec
        },
        status: observed,
      }) => ({
        spec: {
          ...spec,
          storage: { size: storage.size, className: storage.storageClassName },
          backup: backups,
        },
        status: observed,
      }),
    },
  },
  rules: [
    rule('size(self.metadata.name) <= 40', {
      message:
        'the name must have at most 40 characters, because the names of other objects contain it',
    }),
  ],
})

/** A SampleDB as the functions of the operator receive it. */
export type Database = Frozen<InferResource<typeof SampleDB>>
