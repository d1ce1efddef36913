import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { parsePlainYaml } from './plain-yaml.ts'

const kubeconfig = `# made by a program
apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: LS0tLS1CRUdJTg==   # shortened
    server: https://127.0.0.1:6443
  name: "kind-kind"
contexts:
  - name: 'it''s'
    context:
      cluster: kind-kind
      user: admin
current-context: kind-kind
kind: Config
preferences: {}
users:
- name: admin
  user:
    exec:
      args:
      - -i
      - --cluster=x
      - token
      command: aws
      env: null
      interactiveMode: IfAvailable
      provideClusterInfo: false
    client-key: |
      -----BEGIN-----
        indented
      -----END-----
    expires: 10
`

test('reads a kubeconfig like a full YAML parser', () => {
  expect(parsePlainYaml(kubeconfig)).toEqual({ value: parse(kubeconfig) as unknown })
  const withMarker = `\uFEFF# head\n---\r\n${kubeconfig.replaceAll('\n', '\r\n')}`
  expect(parsePlainYaml(withMarker)).toEqual({ value: parse(kubeconfig) as unknown })
})

test('reads collections on one line', () => {
  const texts = [
    "clusters: [{name: c, cluster: {server: 'https://one:6443', ca: pki/ca.crt}}]",
    '- {name: lost, context: {cluster: c, user: ghost}}',
    'a: {b: 1, c: [x, "y, z", true], d: {}, e: [], f: null, g: a:b}  # comment',
    'a: [ 1 , -2 , 3.5, ]',
    '{"a": {"b": [1, 2]}}',
  ]
  for (const text of texts) {
    expect(parsePlainYaml(text)).toEqual({ value: parse(text) as unknown })
  }
})

test('leaves YAML that is not plain to a full parser', () => {
  const others = [
    'a: &x 1\nb: *x',
    'a: !!str 1',
    'a: {b: 1, b: 2}',
    'a: {b: 1',
    'a: [1, 2',
    'a: {b: &x 1}',
    'a: {b c}',
    'a: >\n  folded\n  text',
    'a: one\n  two',
    'a: "one\n  two"',
    '? a\n: b',
    '<<: x\n<<: y',
    'a: 1\na: 2',
    '- - 1\n  - 2',
    'a:\n\tb: 1',
    'a: b: c',
    '%YAML 1.2\n---\na: 1',
    'a: 1\n---\nb: 2',
    'a: 0x10',
    'a: |2\n   x',
    'a: 1\n  b: 2',
    '__proto__: 1',
  ]
  expect(others.filter((text) => parsePlainYaml(text) !== undefined)).toEqual([])
})

test('reads generated YAML like a full parser', () => {
  const word = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.stringMatching(/^[a-zA-Z0-9 .:/#'"~|>&*!%@`{}[\],?=-]{0,10}$/),
    fc.constantFrom('true', 'null', '~', '1', '1.5', '-', '- a', 'a: b', 'a #b', '0x1', '1e3', ''),
  )
  const leaf = fc.oneof(
    word,
    fc.integer(),
    fc.double({ noNaN: true }),
    fc.boolean(),
    fc.constant(null),
  )
  const tree = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, leaf, tie('list'), tie('map')),
    list: fc.array(tie('value'), { maxLength: 3 }),
    map: fc.dictionary(word, tie('value'), { maxKeys: 3 }),
  }))
  const style = fc.record({
    indent: fc.constantFrom(2, 4),
    indentSeq: fc.boolean(),
    singleQuote: fc.constantFrom(true, false, null),
    lineWidth: fc.constantFrom(0, 20),
    collectionStyle: fc.constantFrom('any', 'flow'),
    flowCollectionPadding: fc.boolean(),
    defaultStringType: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL'),
  })
  let read = 0
  fc.assert(
    fc.property(tree.map, style, (value, options) => {
      const text = stringify(value, options as never)
      const plain = parsePlainYaml(text)
      if (plain === undefined) return
      read += 1
      expect(plain.value).toEqual(parse(text) as unknown)
    }),
    { numRuns: 3000 },
  )
  expect(read).toBeGreaterThan(500)
})

test('never reads damaged text differently from a full parser', () => {
  const change = fc.tuple(
    fc.nat(kubeconfig.length - 1),
    fc.nat(3),
    fc.constantFrom('', ' ', '  ', '\n', ':', '-', '#', '"', "'", '\t', '- ', ': ', '|', '{', 'x'),
  )
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      let text = kubeconfig
      for (const [at, length, put] of changes)
        text = text.slice(0, at) + put + text.slice(at + length)
      const plain = parsePlainYaml(text)
      if (plain === undefined) return
      expect(plain.value).toEqual(parse(text, { logLevel: 'error' }) as unknown)
    }),
    { numRuns: 3000 },
  )
})
