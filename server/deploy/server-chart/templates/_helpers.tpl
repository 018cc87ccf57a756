{{- define "carrel.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 56 | trimAll "-" -}}
{{- end -}}

{{/* Shorter than 63 characters, since the roles are appended, and without dots, which the name of a service must not have. */}}
{{- define "carrel.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 56 | trimAll "-" -}}
{{- else -}}
{{- $name := include "carrel.name" . -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | replace "." "-" | trunc 56 | trimAll "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | replace "." "-" | trunc 56 | trimAll "-" -}}
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

{{/* Host of a URL: https://docs.example.com:8443/ -> docs.example.com */}}
{{- define "carrel.host" -}}
{{- (urlParse .).hostname -}}
{{- end -}}

{{/* Environment variables that all pods have. */}}
{{- define "carrel.env" -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ .Values.database.existingSecret }}
      key: {{ .Values.database.key }}
- name: CARREL_SECRET
  valueFrom:
    secretKeyRef:
      name: {{ .Values.secret.existingSecret }}
      key: {{ .Values.secret.key }}
- name: CARREL_PUBLIC_URL
  value: {{ .Values.publicUrl | quote }}
- name: CARREL_SITES_URL
  value: {{ .Values.sitesUrl | quote }}
- name: CARREL_S3_BUCKET
  value: {{ .Values.s3.bucket | quote }}
{{- with .Values.s3.endpoint }}
- name: CARREL_S3_ENDPOINT
  value: {{ . | quote }}
{{- end }}
{{- with .Values.s3.prefix }}
- name: CARREL_S3_PREFIX
  value: {{ . | quote }}
{{- end }}
- name: AWS_REGION
  value: {{ .Values.s3.region | quote }}
{{- with .Values.s3 }}
{{- if .existingSecret }}
- name: AWS_ACCESS_KEY_ID
  valueFrom:
    secretKeyRef:
      name: {{ .existingSecret }}
      key: {{ .accessKeyIdKey }}
- name: AWS_SECRET_ACCESS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .existingSecret }}
      key: {{ .secretAccessKeyKey }}
{{- end }}
{{- end }}
{{- with .Values.trustedProxies }}
- name: CARREL_TRUSTED_PROXIES
  value: {{ join "," . | quote }}
{{- end }}
{{- range $name, $value := .Values.options }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- with .Values.env }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* What all pods have: no rights, and their place in the cluster. */}}
{{- define "carrel.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- range $name := list "nodeSelector" "affinity" "tolerations" "priorityClassName" }}
{{- with index $.Values $name }}
{{ $name }}: {{ toJson . }}
{{- end }}
{{- end }}
{{- end -}}

{{/* What all containers have. */}}
{{- define "carrel.image" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
{{- end -}}

{{/* A Deployment of one role: root, role, settings (.Values.api or .Values.worker), and drain (seconds). */}}
{{- define "carrel.deployment" -}}
{{- $root := .root -}}
{{- $isApi := eq .role "api" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "carrel.fullname" $root }}-{{ .role }}
  labels:
    {{- include "carrel.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  {{- if not (and $isApi .settings.autoscaling.enabled) }}
  replicas: {{ .settings.replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "carrel.selectorLabels" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
  strategy:
    # The old pods keep working until a new one is ready. If it can't start, they stay.
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  template:
    metadata:
      labels:
        {{- include "carrel.selectorLabels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
        {{- with $root.Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $root.Values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "carrel.fullname" $root }}
      terminationGracePeriodSeconds: {{ add .drain $root.Values.drainSeconds 20 }}
      {{- include "carrel.pod" $root | nindent 6 }}
      containers:
        - name: carrel
          {{- include "carrel.image" $root | nindent 10 }}
          args: [server, --role, {{ .role }}]
          env:
            - name: CARREL_DRAIN_SECONDS
              value: {{ .drain | int | quote }}
            {{- if $root.Values.migrations.job }}
            - name: CARREL_MIGRATIONS
              value: manual
            {{- end }}
            {{- if not $isApi }}
            - name: CARREL_WORKERS
              value: {{ .settings.jobs | int | quote }}
            {{- end }}
            {{- include "carrel.env" $root | nindent 12 }}
          ports:
            - name: api
              containerPort: 4400
            {{- if $isApi }}
            - name: sites
              containerPort: 4401
            {{- end }}
          # Until the database is migrated, which only one pod at a time does.
          startupProbe:
            httpGet:
              path: /healthz
              port: api
            periodSeconds: 5
            failureThreshold: 120
          livenessProbe:
            httpGet:
              path: /healthz
              port: api
            periodSeconds: 20
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet:
              path: /readyz
              port: api
            periodSeconds: 5
            timeoutSeconds: 5
          {{- if and $isApi $root.Values.drainSeconds }}
          lifecycle:
            preStop:
              exec:
                command: [sleep, {{ $root.Values.drainSeconds | int | quote }}]
          {{- end }}
          {{- with .settings.resources }}
          resources:
            {{- toYaml . | nindent 12 }}
          {{- end }}
      {{- with $root.Values.topologySpreadConstraints }}
      topologySpreadConstraints: {{ toJson . }}
      {{- end }}
      volumes:
        - name: data
          emptyDir:
            sizeLimit: {{ .settings.dataSize | quote }}
        - name: tmp
          emptyDir:
            medium: Memory
            sizeLimit: 64Mi
{{- end -}}
