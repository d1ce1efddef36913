import * as z from 'zod'
import {
  defineResource,
  type Frozen,
  immutable,
  type InferResource,
  listMap,
  quantity,
  rule,
} from 'setpoint'

/** A size that may only grow. */
const volumeSize = (size: string) =>
  quantity()
    .default(size)
    .check(
      rule('quantity(string(self)).compareTo(quantity(string(oldSelf))) >= 0', {
        message: 'a volume can only grow',
      }),
    )

const objectName = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/)
  .max(253)

const plugin = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/)
    .max(100),
  version: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/)
    .max(50)
    .default('latest'),
})

const credential = z.object({
  id: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/)
    .max(60)
    .describe('The id by which jobs use it.'),
  type: z
    .enum(['basic-auth', 'ssh-auth', 'text'])
    .describe(
      'The keys of the Secret: username and password; username and ssh-privatekey; or text.',
    ),
  secretName: objectName,
  description: z.string().max(200).optional(),
})

const job = z
  .object({
    name: z
      .string()
      .regex(/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/)
      .max(60),
    description: z.string().max(1000).default(''),
    shell: z.string().max(50_000).optional().describe('A freestyle job that runs this script.'),
    pipeline: z.string().max(50_000).optional().describe('A pipeline with this script.'),
    xml: z.string().max(100_000).optional().describe('A job of any type, as its config.xml.'),
    schedule: z
      .string()
      .regex(
        /^(@(yearly|annually|monthly|weekly|daily|midnight|hourly)|[0-9H*/,()-]+( [0-9H*/,()-]+){4})$/,
      )
      .max(100)
      .optional()
      .describe('When the job starts, as a cron expression of Jenkins: `H 3 * * *`.'),
  })
  .check(
    rule('[has(self.shell), has(self.pipeline), has(self.xml)].filter(x, x).size() == 1', {
      message: 'a job has exactly one of shell, pipeline and xml',
    }),
    rule('!has(self.xml) || !has(self.schedule)', {
      message: 'the schedule of a job with xml is a part of its xml',
    }),
  )

const seed = z
  .object({
    url: z
      .string()
      .regex(/^(https?|file):\/\/\S+$/)
      .max(500)
      .describe('The git repository with the jobs.'),
    revision: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]*$/)
      .max(200)
      .default('main')
      .describe('A branch or a tag.'),
    path: z
      .string()
      .regex(/^[A-Za-z0-9_][A-Za-z0-9._/-]*$/)
      .max(200)
      .default('jobs')
      .describe('The folder with one NAME.xml for each job.'),
    secretName: objectName.optional().describe('A Secret with username and password.'),
  })
  .check(
    rule("!self.path.split('/').exists(p, p == '..')", {
      message: 'the path must be inside of the repository',
    }),
  )

/** A Jenkins for the CI of one project. */
export const Jenkins = defineResource({
  group: 'ci.example.com',
  version: 'v1',
  kind: 'Jenkins',
  description:
    'A Jenkins for one project, which is backed up and removed when the project is over.',
  spec: z.object({
    version: z
      .string()
      .regex(/^\d+\.\d+(\.\d+)?$/)
      .max(20)
      .default('2.516.3')
      .describe('The long-term support version of Jenkins.'),
    adminSecret: objectName
      .optional()
      .describe('A Secret with username and password, instead of our own.'),
    plugins: z.array(plugin).max(200).check(listMap('name')).default([]),
    configuration: z
      .looseObject({})
      .optional()
      .describe('Configuration as code. It is merged with the defaults of the operator.'),
    credentials: z.array(credential).max(50).check(listMap('id')).default([]),
    jobs: z.array(job).max(100).check(listMap('name')).default([]),
    seed: seed.optional().describe('A repository with more jobs; it is read at every start.'),
    storage: z
      .object({
        size: volumeSize('8Gi'),
        storageClassName: z.string().optional().check(immutable()),
      })
      .prefault({}),
    until: z.iso
      .datetime()
      .optional()
      .describe('When the project is over: the operator then deletes this object.'),
    backup: z
      .object({
        onRemoval: z.boolean().default(true).describe('Whether the jobs are kept in a backup.'),
        size: volumeSize('2Gi'),
      })
      .prefault({}),
    restoreFrom: objectName
      .optional()
      .check(immutable())
      .describe('A Jenkins of this namespace whose newest backup is the beginning of this one.'),
  }),
  status: z.object({
    url: z.string().optional().describe('The address inside of the cluster.'),
    adminSecret: z.string().optional().describe('The Secret with username and password.'),
    jobs: z.array(z.string()).optional().describe('The jobs of the spec, without those of seed.'),
    backups: z.string().optional().describe('The claim with the backup, which stays.'),
  }),
  conditions: ['Ready'],
  columns: {
    Version: '.spec.version',
    Ready: '.status.conditions[?(@.type=="Ready")].status',
    Until: '.spec.until',
    URL: { jsonPath: '.status.url', priority: 1 },
  },
  rules: [
    rule('size(self.metadata.name) <= 40', {
      message: 'the name must have at most 40 characters, because other names contain it',
    }),
  ],
})

/** A Jenkins as the functions of the operator receive it. */
export type Project = Frozen<InferResource<typeof Jenkins>>
