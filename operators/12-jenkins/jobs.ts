import type { Project } from './jenkins.ts'

type Job = Project['spec']['jobs'][number]

/** The end of the file names of jobs in the ConfigMap. */
export const jobSuffix = '.job.xml'

/** The `config.xml` of each job, by file name. */
export function jobFiles(jobs: readonly Job[]): Record<string, string> {
  return Object.fromEntries(jobs.map((job) => [`${job.name}${jobSuffix}`, jobXml(job)]))
}

/** The `config.xml` of a job, as Jenkins itself would write it. */
export function jobXml({ description, shell, pipeline, xml, schedule }: Job): string {
  if (xml !== undefined) return xml
  const described = `  <description>${escaped(description)}</description>\n`
  const triggers =
    schedule === undefined
      ? '<triggers/>'
      : `<triggers><hudson.triggers.TimerTrigger><spec>${escaped(schedule)}</spec></hudson.triggers.TimerTrigger></triggers>`
  return pipeline === undefined
    ? freestyle({ described, triggers, script: shell ?? '' })
    : scripted({ described, triggers, script: pipeline })
}

interface Parts {
  readonly described: string
  readonly triggers: string
  readonly script: string
}

/** A freestyle job needs no plug-in. */
const freestyle = ({
  described,
  triggers,
  script,
}: Parts): string => `<?xml version='1.1' encoding='UTF-8'?>
<project>
${described}  <keepDependencies>false</keepDependencies>
  <properties/>
  <scm class="hudson.scm.NullSCM"/>
  <canRoam>true</canRoam>
  <disabled>false</disabled>
  ${triggers}
  <concurrentBuild>false</concurrentBuild>
  <builders>
    <hudson.tasks.Shell>
      <command>${escaped(script)}</command>
    </hudson.tasks.Shell>
  </builders>
  <publishers/>
  <buildWrappers/>
</project>
`

/** A pipeline needs the plug-in `workflow-aggregator`. */
const scripted = ({
  described,
  triggers,
  script,
}: Parts): string => `<?xml version='1.1' encoding='UTF-8'?>
<flow-definition>
${described}  <keepDependencies>false</keepDependencies>
  <properties>
    <org.jenkinsci.plugins.workflow.job.properties.PipelineTriggersJobProperty>
      ${triggers}
    </org.jenkinsci.plugins.workflow.job.properties.PipelineTriggersJobProperty>
  </properties>
  <definition class="org.jenkinsci.plugins.workflow.cps.CpsFlowDefinition">
    <script>${escaped(script)}</script>
    <sandbox>true</sandbox>
  </definition>
  <disabled>false</disabled>
</flow-definition>
`

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Text for XML. Control characters, which XML 1.1 does not allow, are references. */
function escaped(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => entities[character] ?? character)
    .replace(
      /[\u0001-\u0008\u000b-\u001f\u007f-\u0084\u0086-\u009f]/g,
      (character) => `&#${character.charCodeAt(0)};`,
    )
    .replaceAll('\u0000', '')
}
