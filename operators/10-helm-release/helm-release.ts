import * as z from 'zod'
import { defineResource, duration, type Frozen, type InferResource, rule } from 'setpoint'

const name = z.string().min(1).max(253)

const chart = z
  .object({
    path: z
      .string()
      .optional()
      .describe('A folder below the folder of charts of the operator. Its version is not chosen.'),
    repository: z.url().optional().describe('The address of an HTTP chart repository.'),
    name: z.string().optional().describe('The name of the chart in the repository.'),
    oci: z.string().startsWith('oci://').optional().describe('A chart in an OCI registry.'),
    version: z.string().default('*').describe('A version, or a range such as ^1.2 or >=1.0 <2.0.'),
    plainHttp: z.boolean().default(false).describe('Use HTTP for the OCI registry.'),
    credentials: z
      .object({ name })
      .optional()
      .describe('A Secret of this namespace with username and password.'),
  })
  .check(
    rule('[has(self.path), has(self.repository), has(self.oci)].exists_one(is, is)', {
      message: 'exactly one of path, repository and oci must be set',
    }),
    rule('has(self.repository) == has(self.name)', {
      message: 'repository and name belong together',
    }),
    rule("!has(self.path) || !self.path.startsWith('/') && !self.path.contains('..')", {
      message: 'path must be relative, without ..',
    }),
  )

const valuesFrom = z.object({
  kind: z.enum(['ConfigMap', 'Secret']),
  name,
  valuesKey: z.string().default('values.yaml'),
  targetPath: z
    .string()
    .min(1)
    .optional()
    .describe('The key has one value, for this path, as for helm --set: image.tag, args[0], a\\.b'),
  literal: z.boolean().default(false).describe('The value at targetPath is this text as it is.'),
  optional: z.boolean().default(false),
})

/** Selects objects of a release; each text is a regular expression for the whole field. */
const target = z.object({
  group: z.string().optional(),
  version: z.string().optional(),
  kind: z.string().optional(),
  name: z.string().optional(),
  namespace: z.string().optional(),
})

/** What helm waits for after an action. */
const wait = { disableWait: z.boolean().default(false) }

/** A field that stays as it was when the object was created: another name is another release. */
const unchanged = (field: string) =>
  rule(
    `has(self.${field}) == has(oldSelf.${field}) && (!has(self.${field}) || self.${field} == oldSelf.${field})`,
    { message: `${field} is immutable` },
  )

/** What follows a failed attempt. A negative number retries without end. */
const remediation = {
  retries: z.int32().default(0),
  remediateLastFailure: z.boolean().optional(),
  ignoreTestFailures: z.boolean().optional(),
}

/** A revision of a release. */
const snapshot = z.object({
  version: z.int32(),
  name: z.string(),
  namespace: z.string(),
  chartName: z.string(),
  chartVersion: z.string(),
  appVersion: z.string().optional(),
  digest: z.string().optional(),
  status: z.string(),
  firstDeployed: z.string().optional(),
  lastDeployed: z.string().optional(),
  testHooks: z.record(z.string(), z.object({ phase: z.string() })).optional(),
})

/** A chart that is released and kept as the object says. */
export const HelmRelease = defineResource({
  group: 'helm.example.com',
  version: 'v1',
  kind: 'HelmRelease',
  shortNames: ['hr'],
  description: 'Installs a Helm chart, upgrades it, and keeps it as it was released.',
  spec: z
    .object({
      chart,
      values: z.looseObject({}).default({}),
      valuesFrom: z.array(valuesFrom).max(32).default([]),
      releaseName: z.string().min(1).max(53).optional(),
      targetNamespace: z.string().min(1).max(63).optional(),
      dependsOn: z
        .array(z.object({ name, namespace: z.string().optional() }))
        .max(32)
        .default([]),
      interval: duration().default('5m'),
      timeout: duration().default('5m').describe('How long one run of helm waits.'),
      suspend: z.boolean().default(false),
      maxHistory: z.int32().min(1).default(5),
      install: z
        .object({
          ...wait,
          createNamespace: z.boolean().default(false),
          remediation: z.object(remediation).prefault({}),
        })
        .prefault({}),
      upgrade: z
        .object({
          ...wait,
          force: z.boolean().default(false),
          cleanupOnFail: z.boolean().default(false),
          remediation: z
            .object({
              ...remediation,
              strategy: z.enum(['rollback', 'uninstall']).default('rollback'),
            })
            .prefault({}),
        })
        .prefault({}),
      test: z
        .object({ enable: z.boolean().default(false), ignoreFailures: z.boolean().default(false) })
        .prefault({}),
      rollback: z
        .object({
          ...wait,
          force: z.boolean().default(false),
          cleanupOnFail: z.boolean().default(false),
        })
        .prefault({}),
      uninstall: z.object({ ...wait, keepHistory: z.boolean().default(false) }).prefault({}),
      driftDetection: z
        .object({
          mode: z.enum(['disabled', 'warn', 'enabled']).default('disabled'),
          ignore: z
            .array(z.object({ paths: z.array(z.string()), target: target.optional() }))
            .max(32)
            .default([]),
        })
        .prefault({}),
    })
    .check(unchanged('releaseName'), unchanged('targetNamespace')),
  status: z.object({
    observedGeneration: z.int().optional(),
    lastAttemptedGeneration: z.int().optional(),
    /** The chart version of the last attempt, and the digest of its chart and values. */
    lastAttemptedRevision: z.string().optional(),
    lastAttemptedDigest: z.string().optional(),
    lastAttemptedReleaseAction: z.enum(['install', 'upgrade']).optional(),
    lastHandledResetAt: z.string().optional(),
    /** The failed attempts with this digest. */
    installFailures: z.int32().optional(),
    upgradeFailures: z.int32().optional(),
    history: z.array(snapshot).optional(),
  }),
  conditions: ['Ready', 'Released', 'TestSuccess', 'Remediated', 'Drifted'],
  columns: {
    Ready: '.status.conditions[?(@.type=="Ready")].status',
    Revision: '.status.history[0].version',
    Chart: '.status.history[0].chartVersion',
    Status: '.status.conditions[?(@.type=="Ready")].message',
  },
})

export type HelmRelease = Frozen<InferResource<typeof HelmRelease>>
export type Spec = HelmRelease['spec']
