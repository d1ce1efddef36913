import { expect, test } from 'vitest'
import { JsonPathTemplate } from './json-path-template.ts'

// Recorded output of kubectl 1.36 for these templates.
const object = {
  metadata: { name: 'web', labels: { 'a.b/c': 'dotted', app: 'web' } },
  spec: {
    replicas: 2,
    paused: false,
    ports: [
      { name: 'http', port: 80, secure: false },
      { name: 'https', port: 443, secure: true, deep: { name: 'inner' } },
      { name: 'admin', port: 8080 },
    ],
    html: '<b>',
    list: ['<a>'],
  },
}

test.each([
  ['{.metadata.name}', 'web'],
  ['{$.metadata.name}', 'web'],
  ['{@.metadata.name}', 'web'],
  ['name: {.metadata.name}!', 'name: web!'],
  ['.metadata.name', '.metadata.name'],
  ['{.metadata.labels.a\\.b/c}', 'dotted'],
  ["{.metadata['name']}", 'web'],
  ["{.metadata.labels['a\\.b/c']}", 'dotted'],
  ["{.metadata.labels['a.b/c']}", ''],
  ["{.metadata['name','absent']}", 'web'],
  ['{.spec.replicas} {.spec.paused}', '2 false'],
  ['{.spec.ports[*].name}', 'http https admin'],
  ['{.spec.ports[0].name}', 'http'],
  ['{.spec.ports[-1].name}', 'admin'],
  ['{.spec.ports[0:2].name}', 'http https'],
  ['{.spec.ports[-1:].name}', 'admin'],
  ['{.spec.ports[0,2].name}', 'http admin'],
  ['{.spec.ports[?(@.name=="https")].port}', '443'],
  ["{.spec.ports[?(@.name!='https')].port}", '80 8080'],
  ['{.spec.ports[?(@.port>80)].name}', 'https admin'],
  ['{.spec.ports[?(@.secure==true)].name}', 'https'],
  ['{.spec.ports[?(@.deep)].name}', 'https'],
  ['{.spec.ports[?(@.deep.name=="inner")].name}', 'https'],
  ['{..deep.name}', 'inner'],
  ['{.spec.absent.deeper}', ''],
  ['{.spec.list}', '["\\u003ca\\u003e"]'],
  ['{.spec.html}', '<b>'],
  ['{.spec.ports[2]}', '{"name":"admin","port":8080}'],
  ['{range .spec.ports[*]}{.name}={.port}{"\\n"}{end}', 'http=80\nhttps=443\nadmin=8080\n'],
  ['{range .spec.ports[*]}[{.name}]{end}', '[http][https][admin]'],
  ['{"}"}{\'a\'}', '}a'],
])('%s', (template, printed) => {
  expect(new JsonPathTemplate(template).print(object)).toBe(printed)
})

test.each([
  ['{.spec', 'unclosed action'],
  ['{.spec[0}', 'unterminated array'],
  ['{end}', 'not in range, nothing to end'],
  ['{range .spec}', 'unclosed range'],
])('refuses %s', (template, why) => {
  expect(() => new JsonPathTemplate(template)).toThrow(
    `error: error parsing jsonpath ${template}, ${why}`,
  )
})
