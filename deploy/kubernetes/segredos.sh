#!/usr/bin/env bash
# Makes what is secret, once, in segredos/ beside this file (kept by nobody else: .gitignore names it):
#   ./segredos.sh "postgresql://crivo:SENHA@banco.exemplo:5432/crivo?sslmode=verify-full"
# What is there already is kept: another master key would open nothing of what was stored. Keep a copy away from the backups.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,4s/^# \{0,1\}//p' "$0"; exit 2; }
umask 077
cd "$(dirname "$0")"
mkdir -p segredos
cd segredos
[ -e crivo.env ] || printf 'CRIVO_DATABASE_URL=%s\nCRIVO_CHAVE_MESTRA=%s\n' "$1" "$(openssl rand -base64 32)" > crivo.env
for id in clinic_a clinic_b clinic_c clinic_d clinic_e clinic_f; do
  [ -e "$id.json" ] || printf '{"atual":{"kid":"%s","segredo":"%s"}}' "$(openssl rand -hex 8)" "$(openssl rand -hex 32)" > "$id.json"
done
[ -e tls.crt ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj /CN=clinicas \
  -addext subjectAltName=DNS:clinicas -keyout tls.key -out tls.crt 2>/dev/null
impressao=$(openssl x509 -in tls.crt -noout -fingerprint -sha256 | sed 's/.*=//')
{
  printf '{"clinics": ['
  virgula=
  while read numero id nome especialidade; do
    printf '%s\n  {"id": "%s", "nome": "%s", "especialidade": "%s", "porta": 800%s, "url": "https://clinicas:844%s/mcp", "impressao": "%s"}' \
      "$virgula" "$id" "$nome" "$especialidade" "$numero" "$numero" "$impressao"
    virgula=,
  done <<'FIM'
1 clinic_a Clínica\ A Cardiologia
2 clinic_b Clínica\ B Dermatologia
3 clinic_c Clínica\ C Cardiologia
4 clinic_d Clínica\ D Ortopedia
5 clinic_e Clínica\ E Ortopedia
6 clinic_f Clínica\ F Dermatologia
FIM
  printf '\n]}\n'
} > registro.novo
[ -e registro.json ] || mv registro.novo registro.json
rm -f registro.novo
echo "Pronto: deploy/kubernetes/segredos. Guarde uma cópia de crivo.env e de clinic_*.json longe das cópias do banco."
