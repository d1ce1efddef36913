import fc from 'fast-check'
import { format } from 'prettier'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { compileStrict } from '../../../../../test/compile-strict.ts'
import { typesFromCrd } from './types-from-crd.ts'

const string = { type: 'string' }
const integer = { type: 'integer', format: 'int32' }
const strings = { type: 'array', items: string }

interface CrdOptions {
  group: string
  kind: string
  scope?: string
  shortNames?: string[]
  versions: object[]
}

function crd({ group, kind, scope = 'Namespaced', shortNames = [], versions }: CrdOptions): object {
  const singular = kind.toLowerCase()
  const names = { kind, singular, plural: `${singular}s`, listKind: `${kind}List`, shortNames }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}` },
    spec: { group, names, scope, versions },
  }
}

function version(name: string, schema: object, more: object = {}): object {
  return { name, served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more }
}

function root(spec: object, status?: object): object {
  return {
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: string,
      kind: string,
      metadata: { type: 'object' },
      spec,
      ...(status && { status }),
    },
  }
}

const conditions = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: {
    type: 'object',
    required: ['type', 'status'],
    properties: {
      type: string,
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      lastTransitionTime: { type: 'string', format: 'date-time' },
    },
  },
}

// Like cert-manager: a request for a certificate, with an older version still served.
const certificate = crd({
  group: 'cert-manager.example',
  kind: 'Certificate',
  shortNames: ['cert', 'certs'],
  versions: [
    version(
      'v1alpha2',
      root({ type: 'object', required: ['secretName'], properties: { secretName: string } }),
      {
        deprecated: true,
        deprecationWarning: 'use v1 instead',
      },
    ),
    version(
      'v1',
      root(
        {
          type: 'object',
          description: 'The content of the certificate and where it is stored.',
          required: ['secretName', 'issuerRef'],
          properties: {
            secretName: { ...string, description: 'Name of the Secret. It may */ exist already.' },
            dnsNames: strings,
            duration: { ...string, description: 'How long it is valid.\n\nGo syntax: `2160h`.' },
            issuerRef: {
              type: 'object',
              required: ['name'],
              properties: { name: string, kind: string, group: string },
            },
            privateKey: {
              type: 'object',
              properties: {
                algorithm: { type: 'string', enum: ['RSA', 'ECDSA', 'Ed25519'] },
                size: { type: 'integer', enum: [2048, 4096, 8192] },
                rotationPolicy: { type: 'string', enum: ['Never', 'Always'] },
              },
            },
            usages: {
              type: 'array',
              items: {
                type: 'string',
                enum: [
                  'signing',
                  'digital signature',
                  'content commitment',
                  'key encipherment',
                  'server auth',
                ],
              },
            },
          },
        },
        {
          type: 'object',
          properties: { conditions, revision: integer, nextRenewal: { ...string, nullable: true } },
        },
      ),
      { subresources: { status: {} } },
    ),
    { name: 'v1alpha1', served: false, storage: false },
  ],
})

// Like the Prometheus operator: what to scrape.
const serviceMonitor = crd({
  group: 'monitoring.example',
  kind: 'ServiceMonitor',
  shortNames: ['smon'],
  versions: [
    version(
      'v1',
      root({
        type: 'object',
        required: ['endpoints', 'selector'],
        properties: {
          selector: {
            type: 'object',
            'x-kubernetes-map-type': 'atomic',
            properties: { matchLabels: { type: 'object', additionalProperties: string } },
          },
          namespaceSelector: {
            type: 'object',
            properties: { any: { type: 'boolean' }, matchNames: strings },
          },
          endpoints: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                port: string,
                targetPort: {
                  anyOf: [{ type: 'integer' }, string],
                  'x-kubernetes-int-or-string': true,
                },
                scheme: { type: 'string', enum: ['http', 'https'] },
                params: { type: 'object', additionalProperties: strings },
                'x-custom-header': string,
                honorLabels: { type: 'boolean' },
                relabelings: {
                  type: 'array',
                  items: {
                    type: 'object',
                    properties: { action: string, modulus: { type: 'integer', format: 'int64' } },
                  },
                },
              },
            },
          },
          limits: {
            type: 'object',
            additionalProperties: { type: 'object', properties: { samples: integer } },
          },
        },
      }),
    ),
  ],
})

// Like Argo: a workload with an open pod template, and steps.
const rollout = crd({
  group: 'rollouts.example',
  kind: 'Rollout',
  versions: [
    version(
      'v1alpha1',
      root(
        {
          type: 'object',
          properties: {
            replicas: { ...integer, nullable: true },
            template: {
              type: 'object',
              properties: {
                metadata: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                spec: {
                  type: 'object',
                  'x-kubernetes-preserve-unknown-fields': true,
                  properties: {
                    containers: {
                      type: 'array',
                      items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                    },
                  },
                },
              },
            },
            analysis: {
              type: 'object',
              'x-kubernetes-embedded-resource': true,
              'x-kubernetes-preserve-unknown-fields': true,
            },
            workload: {
              type: 'object',
              'x-kubernetes-embedded-resource': true,
              properties: {
                apiVersion: string,
                spec: { type: 'object', properties: { weight: integer } },
              },
            },
            strategy: {
              type: 'object',
              properties: {
                canary: {
                  type: 'object',
                  properties: {
                    maxSurge: { 'x-kubernetes-int-or-string': true },
                    steps: {
                      type: 'array',
                      items: {
                        type: 'object',
                        properties: {
                          setWeight: integer,
                          pause: {
                            type: 'object',
                            properties: { duration: { 'x-kubernetes-int-or-string': true } },
                          },
                        },
                      },
                    },
                  },
                },
              },
            },
          },
        },
        {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { phase: string, conditions },
        },
      ),
      {
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
      },
    ),
  ],
})

// A kind with a name that the module itself needs.
const record = crd({
  group: 'dns.example',
  kind: 'Record',
  versions: [version('v1', root({ type: 'object', additionalProperties: string }))],
})

test('turns a CRD into a module with its types and its kind', () => {
  expect(typesFromCrd(certificate)).toMatchInlineSnapshot(`
    "// Types of certificates.cert-manager.example, written by typesFromCrd of setpoint/kinds from its CRD.
    import { defineKind, type ExactKind, type StoredMetadata } from 'setpoint/kinds'

    export interface Certificate {
      apiVersion: 'cert-manager.example/v1'
      kind: 'Certificate'
      metadata: StoredMetadata<'Namespaced'>
      /** The content of the certificate and where it is stored. */
      spec: CertificateSpec
      status?: CertificateStatus
    }

    export const Certificate: ExactKind<Certificate> = /* @__PURE__ */ defineKind<Certificate>({
      apiVersion: 'cert-manager.example/v1',
      kind: 'Certificate',
      plural: 'certificates',
      singular: 'certificate',
      shortNames: ['cert', 'certs'],
      scope: 'Namespaced',
      subresources: ['status'],
    })

    export interface CertificateSpec {
      /** Name of the Secret. It may *\\/ exist already. */
      secretName: string
      dnsNames?: string[]
      /**
       * How long it is valid.
       *
       * Go syntax: \`2160h\`.
       */
      duration?: string
      issuerRef: CertificateSpecIssuerRef
      privateKey?: CertificateSpecPrivateKey
      usages?: (
        'signing' | 'digital signature' | 'content commitment' | 'key encipherment' | 'server auth'
      )[]
    }

    export interface CertificateSpecIssuerRef {
      name: string
      kind?: string
      group?: string
    }

    export interface CertificateSpecPrivateKey {
      algorithm?: 'RSA' | 'ECDSA' | 'Ed25519'
      size?: 2048 | 4096 | 8192
      rotationPolicy?: 'Never' | 'Always'
    }

    export interface CertificateStatus {
      conditions?: CertificateStatusConditionsItem[]
      revision?: number
      nextRenewal?: string | null
    }

    export interface CertificateStatusConditionsItem {
      type: string
      status: 'True' | 'False' | 'Unknown'
      lastTransitionTime?: string
    }

    /** @deprecated use v1 instead */
    export interface CertificateV1alpha2 {
      apiVersion: 'cert-manager.example/v1alpha2'
      kind: 'Certificate'
      metadata: StoredMetadata<'Namespaced'>
      spec: CertificateV1alpha2Spec
    }

    export const CertificateV1alpha2: ExactKind<CertificateV1alpha2> =
      /* @__PURE__ */ defineKind<CertificateV1alpha2>({
        apiVersion: 'cert-manager.example/v1alpha2',
        kind: 'Certificate',
        plural: 'certificates',
        singular: 'certificate',
        shortNames: ['cert', 'certs'],
        scope: 'Namespaced',
      })

    export interface CertificateV1alpha2Spec {
      secretName: string
    }
    "
  `)
})

test('compiles the modules of realistic CRDs in strict mode', () => {
  const use = `
import { conditionOf, type InferResource, type Manifest } from './index.ts'
import { Certificate, type CertificateSpec, CertificateV1alpha2 } from './certificate.ts'
import { Rollout } from './rollout.ts'
import { ServiceMonitor } from './service-monitor.ts'

export const valid: Manifest<Certificate> = {
  metadata: { name: 'web', namespace: 'team' },
  spec: { secretName: 'web-tls', issuerRef: { name: 'ca' }, privateKey: { size: 4096 } },
}
export function check(certificate: InferResource<typeof Certificate>, rollout: Rollout): string {
  const spec: CertificateSpec = certificate.spec
  const weight: number | undefined = rollout.spec.strategy?.canary?.steps?.[0]?.setWeight
  const anything: unknown = rollout.status?.anything
  return [conditionOf(certificate, 'Ready')?.status, spec.secretName, weight, anything].join()
}
export const monitor: Manifest<ServiceMonitor> = {
  metadata: { name: 'web' },
  spec: { selector: {}, endpoints: [{ targetPort: 'http', 'x-custom-header': 'a', params: { a: ['b'] } }] },
}
// @ts-expect-error no such algorithm
export const wrong: Manifest<Certificate>['spec'] = { ...valid.spec, privateKey: { algorithm: 'DSA' } }
export const plurals = [Certificate, CertificateV1alpha2, ServiceMonitor, Rollout].map((kind) => kind.plural)
`
  const problems = compileStrict({
    'certificate.ts': typesFromCrd(certificate),
    'service-monitor.ts': typesFromCrd(serviceMonitor),
    'rollout.ts': typesFromCrd(rollout),
    'record.ts': typesFromCrd(record),
    'use.ts': use,
  })
  expect(problems).toEqual([])
  expect(typesFromCrd(record)).toContain('export interface Record2 {')
})

test('emits declarations of the modules without the type checker', () => {
  for (const source of [certificate, serviceMonitor, rollout, record].map(typesFromCrd)) {
    const { diagnostics = [] } = ts.transpileDeclaration(source, {
      reportDiagnostics: true,
      compilerOptions: { isolatedDeclarations: true, declaration: true },
    })
    expect(diagnostics.map(({ messageText }) => messageText)).toEqual([])
  }
})

test('treats a null field of the CRD as absent', () => {
  const base = { group: 'a.example', kind: 'Thing' }
  const bare = { name: 'v1', served: true }
  const nulls = { schema: null, subresources: { status: null, scale: null }, deprecated: null }
  const plain = crd({ ...base, versions: [bare] }) as { spec: { names: object } }
  const spelled = crd({ ...base, versions: [{ ...bare, ...nulls }] }) as { spec: { names: object } }
  Object.assign(spelled.spec.names, { shortNames: null, categories: null })
  expect(typesFromCrd(spelled)).toBe(typesFromCrd(plain))
  Object.assign(spelled.spec.names, { singular: null })
  expect(typesFromCrd(spelled)).not.toContain('singular')
  const properties = { a: { type: 'string', enum: null, nullable: null }, b: null }
  const schema = { type: 'object', required: null, properties, additionalProperties: null }
  const source = typesFromCrd(crd({ ...base, versions: [version('v1', schema)] }))
  expect(source).toContain('  a?: string\n  b?: unknown\n')
})

test('keeps the content of open objects, embedded resources and maps', () => {
  const source = typesFromCrd(rollout)
  expect(source).toContain(`export interface RolloutStatus {
  phase?: string
  conditions?: RolloutStatusConditionsItem[]
  [field: string]: unknown
}`)
  expect(source).toContain('  analysis?: EmbeddedResource\n')
  expect(source).toContain(`export interface RolloutSpecWorkload {
  apiVersion: string
  kind: string
  metadata?: ObjectMeta
  spec?: RolloutSpecWorkloadSpec
}`)
  expect(source).toContain('  replicas?: number | null\n')
  expect(source).toContain("  subresources: ['scale', 'status'],\n")
})

test('accepts anything for a version without a schema', () => {
  const anything = crd({
    group: 'a.example',
    kind: 'Any',
    versions: [{ name: 'v1', served: true }],
  })
  expect(typesFromCrd(anything)).toContain(`  metadata: StoredMetadata<'Namespaced'>
  [field: string]: unknown
}`)
})

test.each([
  {
    what: 'another kind of object',
    input: { apiVersion: 'v1', kind: 'Pod' },
    message: 'got "Pod" of "v1"',
  },
  { what: 'no object at all', input: 'crd.yaml', message: 'got missing of missing' },
  {
    what: 'code instead of a kind',
    input: crd({ group: 'a.example', kind: 'A{}; evil()', versions: [] }),
    message: 'spec.names.plural is "a{}; evil()s", which is not a valid name',
  },
  {
    what: 'a line break in a group',
    input: crd({ group: 'a.example\nevil()', kind: 'A', versions: [] }),
    message: 'spec.group is "a.example\\nevil()", which is not a valid name',
  },
  {
    what: 'an unknown scope',
    input: crd({ group: 'a.example', kind: 'A', scope: 'Galaxy', versions: [] }),
    message: 'spec.scope is "Galaxy"',
  },
  {
    what: 'no served version',
    input: crd({ group: 'a.example', kind: 'A', versions: [{ name: 'v1', served: false }] }),
    message: 'as.a.example serves no version',
  },
])('refuses $what with the reason', ({ input, message }) => {
  expect(() => typesFromCrd(input)).toThrow(message)
  expect(() => typesFromCrd(input)).toThrow(expect.objectContaining({ code: 'CRD_INVALID' }))
})

test('refuses a schema that contains itself', () => {
  const spec: { type: string; properties: Record<string, object> } = {
    type: 'object',
    properties: {},
  }
  spec.properties.again = spec
  const loop = crd({ group: 'a.example', kind: 'Loop', versions: [version('v1', root(spec))] })
  expect(() => typesFromCrd(loop)).toThrow('nested deeper than 100 levels')
})

function schemas(text: fc.Arbitrary<string>): fc.Arbitrary<object> {
  return fc.letrec<{ schema: object }>((tie) => {
    const described = { description: fc.option(text, { nil: undefined }), nullable: fc.boolean() }
    return {
      schema: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.record({ ...described, type: fc.constantFrom('string', 'integer', 'boolean', 'other') }),
        fc.record({
          ...described,
          type: fc.constant('string'),
          enum: fc.array(fc.oneof(text, fc.integer(), fc.constant(null)), { maxLength: 6 }),
        }),
        fc.record({ ...described, 'x-kubernetes-int-or-string': fc.constant(true) }),
        fc.record({ ...described, type: fc.constant('array'), items: tie('schema') }),
        fc.record({
          ...described,
          type: fc.constant('object'),
          additionalProperties: tie('schema'),
        }),
        fc.record({
          ...described,
          type: fc.constant('object'),
          required: fc.array(text, { maxLength: 3 }),
          properties: fc.dictionary(text, tie('schema'), { maxKeys: 4 }),
          'x-kubernetes-preserve-unknown-fields': fc.boolean(),
          'x-kubernetes-embedded-resource': fc.boolean(),
        }),
      ),
    }
  }).schema
}

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '*/ evil() /*',
    '\n*/\nevil()',
    "'; evil() //",
    '"; evil() //',
    '\\',
    "\\'",
    '${evil()}',
    '`',
    '\u2028evil()',
    '__proto__',
    'constructor',
    '@ts-ig' + 'nore',
    'a\r\nb',
    '[evil()]',
  ),
)

const harmlessNodes = new Set<ts.SyntaxKind>(
  (
    [
      'ImportDeclaration',
      'ImportClause',
      'NamedImports',
      'ImportSpecifier',
      'InterfaceDeclaration',
      'PropertySignature',
      'IndexSignature',
      'Parameter',
      'TypeReference',
      'LiteralType',
      'UnionType',
      'ArrayType',
      'ParenthesizedType',
      'StringLiteral',
      'NumericLiteral',
      'PrefixUnaryExpression',
      'NullKeyword',
      'TrueKeyword',
      'FalseKeyword',
      'StringKeyword',
      'NumberKeyword',
      'BooleanKeyword',
      'UnknownKeyword',
      'ExportKeyword',
      'QuestionToken',
      'Identifier',
      'VariableStatement',
      'VariableDeclarationList',
      'VariableDeclaration',
      'CallExpression',
      'ObjectLiteralExpression',
      'PropertyAssignment',
      'ArrayLiteralExpression',
      'EndOfFileToken',
    ] as const
  ).map((name) => ts.SyntaxKind[name]),
)

/** Everything in the module except declarations of data. */
function suspiciousParts(source: string): string[] {
  const result = ts.transpileModule(source, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  })
  const file = ts.createSourceFile('crd.ts', source, ts.ScriptTarget.ES2023, true)
  const found = (result.diagnostics ?? []).map(
    ({ messageText }) => `syntax: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  )
  const visit = (node: ts.Node): void => {
    const isOurCall = !ts.isCallExpression(node) || node.expression.getText() === 'defineKind'
    if (!harmlessNodes.has(node.kind) || !isOurCall) found.push(node.getText())
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(file, visit)
  return found
}

test('emits only types and one constant for any strings in a schema', () => {
  fc.assert(
    fc.property(schemas(hostileText), hostileText, (schema, warning) => {
      const more = { deprecated: true, deprecationWarning: warning }
      const versions = [version('v1', root(schema, schema), more)]
      const source = typesFromCrd(crd({ group: 'a.example', kind: 'Thing', versions }))
      expect(suspiciousParts(source)).toEqual([])
      expect(source.match(/^export const/gm)).toHaveLength(1)
    }),
    { numRuns: 200 },
  )
})

test('the check for suspicious parts detects a call', () => {
  expect(suspiciousParts('export const a = evil()')).toEqual(['evil()'])
  expect(suspiciousParts("export const a = '")).not.toEqual([])
})

test('formats the module of any CRD as Prettier does', async () => {
  const word = fc.stringMatching(/^[a-z][a-zA-Z-]{0,24}$/)
  const text = fc.oneof(
    word,
    fc.array(word, { maxLength: 30 }).map((words) => words.join(' ')),
  )
  await fc.assert(
    fc.asyncProperty(
      schemas(text),
      fc.stringMatching(/^[A-Z][a-zA-Z]{0,50}$/),
      async (schema, kind) => {
        const versions = [version('v1', root(schema)), version('v1beta1', root(schema))]
        const source = typesFromCrd(crd({ group: 'a.example', kind, shortNames: ['a'], versions }))
        const options = { parser: 'typescript', printWidth: 100, semi: false, singleQuote: true }
        expect(source).toBe(await format(source, options))
      },
    ),
    { numRuns: 100 },
  )
})
