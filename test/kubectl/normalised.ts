/**
 * Replaces what two servers cannot agree on in the output of kubectl: identities, times, ages,
 * addresses.
 */
export function normalised(text: string): string {
  return (
    withSortedCauses(text)
      .replace(/^Warning: setpoint: .*\n/gm, '')
      // kubectl says so where a watch it ends itself was HTTP/1.1, which is all that we speak.
      .replace(/^I\d{4} .*very short watch.*\n/gm, '')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
      .replace(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME')
      .replace(/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} 20\d\d \d\d:\d\d:\d\d \+0000/g, 'DATE')
      .replace(/\b(\d+[smhd])+\b( +|$)/gm, 'AGE ')
      .replace(/resourceVersion: "\d+"/g, 'resourceVersion: "RV"')
      .replace(/(\\?"resourceVersion\\?": ?\\?)"\d+/g, '$1"RV')
      .replace(/(Expected resource version to be 1, was) \d+/, '$1 RV')
      .replace(/Resource Version: +\d+/g, 'Resource Version: RV')
      .replace(/127\.0\.0\.1:\d+/g, 'SERVER')
      .replace(/10\.96\.(?!0\.1\b|1\.\d+\b)\d+\.\d+/g, 'CLUSTER-IP')
      .replace(/nodePort: 3\d{4}/g, 'nodePort: NODE-PORT')
      .replace(/(TargetPort: +)(6443|[3-6]\d{4})\/TCP/g, '$1PORT/TCP')
      .replace(/:3\d{4}\/(TCP|UDP)/g, ':NODE-PORT/$1')
      .replace(/ 3\d{4}\/TCP/g, ' NODE-PORT/TCP')
      .replace(/(kubectl-\w+)-\d+/g, '$1')
      .replace(/kube-api-access-\w{5}/g, 'kube-api-access-XXXXX')
      .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN')
      .replace(/X509SHA256=[0-9a-f]{64}/g, 'X509SHA256=HASH')
      .replace(/LIVE-\d+|MERGED-\d+/g, 'TMP')
      .replace(/setpoint-kubectl-\w+\/(real|embedded)/g, 'FOLDER')
      .replace(/[\t ]20\d\d-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? \+0000( UTC)?/g, ' TIME')
      .replace(/\b([EWI])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ /g, '$1 LOG ')
      .replace(/[ \t]+$/gm, '')
      .replace(/ {2,}/g, '  ')
  )
}

/** A real server finds the causes of a refusal in the random order of Go's maps. */
function withSortedCauses(text: string): string {
  const sorted = (causes: string): string =>
    causes
      .split(/(?<=\n)/)
      .sort()
      .join('')
  return text.replace(/(^\* .*\n){2,}/gm, sorted).replace(/(^ {2}\.\S+: .*\n){2,}/gm, sorted)
}
