import { expect, test } from 'vitest'
import { jobFiles, jobXml } from './jobs.ts'

test('a shell job is a freestyle job, which needs no plug-in', () => {
  const xml = jobXml({ name: 'a', description: 'Builds & tests', shell: 'make <all> "x"\n' })
  expect(xml).toMatch(/^<\?xml version='1\.1' encoding='UTF-8'\?>\n<project>\n/)
  expect(xml).toContain('<description>Builds &amp; tests</description>')
  expect(xml).toContain('<command>make &lt;all&gt; &quot;x&quot;\n</command>')
  expect(xml).toContain('<triggers/>')
})

test('a pipeline runs its script in the sandbox', () => {
  const xml = jobXml({ name: 'a', description: '', pipeline: "node { sh 'make' }" })
  expect(xml).toContain('<flow-definition>')
  expect(xml).toContain('<script>node { sh &apos;make&apos; }</script>')
  expect(xml).toContain('<sandbox>true</sandbox>')
})

test.each(['shell', 'pipeline'])('the schedule of a %s job is a trigger', (type) => {
  const xml = jobXml({ name: 'a', description: '', [type]: 'x', schedule: 'H 3 * * *' })
  expect(xml).toContain(
    '<hudson.triggers.TimerTrigger><spec>H 3 * * *</spec></hudson.triggers.TimerTrigger>',
  )
})

test('control characters become references, which XML 1.1 allows, or are left out', () => {
  const xml = jobXml({ name: 'a', description: '', shell: '\u0000\u001b[1m\r\n\ttab' })
  expect(xml).toContain('<command>&#27;[1m&#13;\n\ttab</command>')
})

test('a job with XML is used as it is, and each job is a file', () => {
  const jobs = [
    { name: 'a', description: '', xml: '<project/>' },
    { name: 'b.c', description: '', shell: 'true' },
  ]
  const files = jobFiles(jobs)
  expect(Object.keys(files)).toEqual(['a.job.xml', 'b.c.job.xml'])
  expect(files['a.job.xml']).toBe('<project/>')
})
