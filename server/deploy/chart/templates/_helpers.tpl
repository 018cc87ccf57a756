{{- define "carrel.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimAll "-" -}}
{{- end -}}

{{/* A service must have a name without dots; a release may be named by a domain. */}}
{{- define "carrel.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimAll "-" -}}
{{- else -}}
{{- $name := include "carrel.name" . -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | replace "." "-" | trunc 63 | trimAll "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | replace "." "-" | trunc 63 | trimAll "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "carrel.selectorLabels" -}}
app.kubernetes.io/name: {{ include "carrel.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "carrel.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "carrel.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "carrel.secretName" -}}
{{- .Values.staticExport.existingSecret | default (printf "%s-bundle" (include "carrel.fullname" .)) -}}
{{- end -}}

{{- define "carrel.claimName" -}}
{{- .Values.persistence.existingClaim | default (printf "%s-kept" (include "carrel.fullname" .)) -}}
{{- end -}}

{{/* Where the bundle comes from: image, volume or link. */}}
{{- define "carrel.source" -}}
{{- if .Values.staticExport.image.repository -}}image
{{- else if .Values.staticExport.volume.existingClaim -}}volume
{{- else -}}link
{{- end -}}
{{- end -}}

{{/* "true" with a link of its own, besides or instead of those from the API. */}}
{{- define "carrel.hasLink" -}}
{{- if or .Values.staticExport.bundleUrl .Values.staticExport.existingSecret -}}true{{- end -}}
{{- end -}}

{{/* The least number of pods. */}}
{{- define "carrel.leastPods" -}}
{{- if .Values.autoscaling.enabled -}}{{ .Values.autoscaling.minReplicas | int }}{{- else -}}{{ .Values.replicas | int }}{{- end -}}
{{- end -}}

{{/* Environment variables of the container, as a list. */}}
{{- define "carrel.env" -}}
{{- with .Values.staticExport.publicKeys }}
- name: CARREL_REQUIRE_SIGNATURE
  value: {{ join "," . | quote }}
{{- end }}
{{- if or (eq (include "carrel.source" .) "link") .Values.staticExport.volume.watch }}
{{- if include "carrel.hasLink" . }}
- name: CARREL_BUNDLE_URL
  valueFrom:
    secretKeyRef:
      name: {{ include "carrel.secretName" . }}
      key: bundleUrl
{{- end }}
- name: CARREL_BUNDLE_VERSION
  value: {{ .Values.staticExport.version | quote }}
- name: CARREL_BUNDLE_KEEP
  value: /data/bundle
- name: CARREL_BUNDLE_KEEP_LAST
  value: {{ .Values.staticExport.keepLast | int | quote }}
- name: CARREL_BUNDLE_MAX_SIZE
  value: {{ .Values.staticExport.maxSizeMb | int | quote }}
- name: CARREL_BUNDLE_TIME_LIMIT
  value: {{ .Values.staticExport.timeLimitMinutes | int | quote }}
{{- with .Values.staticExport.refresh }}
{{- if .enabled }}
- name: CARREL_BUNDLE_REFRESH_URL
  value: {{ .apiUrl | quote }}
{{- if .domain }}
- name: CARREL_BUNDLE_REFRESH_DOMAIN
  value: {{ .domain | quote }}
{{- else }}
- name: CARREL_BUNDLE_REFRESH_JOB
  value: {{ .jobId | quote }}
{{- end }}
{{- if .minutes }}
- name: CARREL_BUNDLE_REFRESH_MINUTES
  value: {{ .minutes | int | quote }}
{{- end }}
- name: CARREL_BUNDLE_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .existingSecret }}
      key: {{ .key }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.settings }}
- name: CARREL_SETTINGS
  value: {{ toJson . | quote }}
{{- end }}
{{- with .Values.assistant }}
{{- if .url }}
- name: CARREL_ASSISTANT_URL
  value: {{ .url | quote }}
- name: CARREL_ASSISTANT_DOMAIN
  value: {{ .domain | quote }}
{{- if .key }}
- name: CARREL_ASSISTANT_KEY
  value: {{ .key | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.env }}
{{- toYaml . | nindent 0 }}
{{- end }}
{{- end -}}
