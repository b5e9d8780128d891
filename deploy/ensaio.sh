#!/usr/bin/env bash
# Uses an installation as people will, and says whether it holds: by its address, and by the command that reaches its `crivo`.
#   deploy/ensaio.sh http://127.0.0.1:8000 crivo
#   deploy/ensaio.sh http://127.0.0.1:8000 docker compose --file deploy/compose.yaml exec -T servidor crivo
#   deploy/ensaio.sh http://127.0.0.1:8000 kubectl --namespace crivo exec --stdin deployment/servidor -- crivo
# All happens in an organisation of its own, `ensaio`, with invented data; what is there of others is neither read nor changed.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 2; }
endereco=${1%/}
shift
crivo() { "${comando[@]}" "$@"; }
comando=("$@")
vez=$(date +%s)-$$
passo() { printf '✓ %s\n' "$1"; }
falha() { printf '✗ %s\n' "$1" >&2; exit 1; }
pede() { curl --silent --show-error --fail-with-body --max-time 60 --header "Authorization: Bearer $chave" "$@"; }

for _ in $(seq 60); do
  curl --silent --fail --max-time 5 "$endereco/readyz" >/dev/null && break
  sleep 2
done
curl --silent --show-error --fail --max-time 5 "$endereco/readyz" >/dev/null || falha "Ninguém atende em $endereco; veja o log do servidor."
passo "atende em $endereco"
pagina=$(curl --silent --show-error --location --max-time 20 "$endereco/entrar")
[[ $pagina == *'<html lang="pt-BR"'* ]] || falha "A página de entrada não veio."
passo "a página de entrada abre"

crivo organizacoes listar --json </dev/null | grep -q '"ensaio"' || crivo organizacoes criar ensaio --nome Ensaio </dev/null >/dev/null 2>&1 ||
  falha "A organização do ensaio não pôde ser criada; rode 'crivo doutor'."
criada=$(crivo chaves criar "ensaio $vez" --validade-dias 1 --tenant ensaio --json </dev/null)
chave=$(sed 's/.*"chave":"\([^"]*\)".*/\1/' <<<"$criada")
id_da_chave=$(sed 's/.*"id":"\([^"]*\)".*/\1/' <<<"$criada")
trap 'crivo chaves revogar "$id_da_chave" --tenant ensaio </dev/null >/dev/null || true' EXIT
passo "a organização do ensaio tem uma chave"

crivo politicas importar - --publicar --sim --tenant ensaio >/dev/null <<'YAML'
administradora_id: ENSAIO
documento: Política do ensaio
versao: "1"
vigencia_inicio: "2020-01-01"
regras:
  - {regra_id: E-1, codigo: "10101012", cobertura: COBERTA, limite_quantidade: 2}
YAML
decisao=$(pede --header 'Content-Type: application/json' "$endereco/api/autorizacoes" --data "{\"pedido_id\": \"ENSAIO-$vez\",
  \"administradora_id\": \"ENSAIO\", \"plano_id\": \"QUALQUER\", \"data_pedido\": \"2026-02-03\",
  \"beneficiario\": {\"id\": \"B-1\", \"idade\": 40, \"carencia_cumprida_dias\": 900}, \"prestador\": {\"tipo\": \"CREDENCIADO\"},
  \"procedimento\": {\"codigo\": \"10101012\", \"tabela\": \"TUSS\", \"quantidade\": 1}, \"documentos_anexos\": []}")
[[ $decisao == *'"decisao_final":"APROVADO"'* ]] || falha "O pedido de ensaio não foi aprovado: $decisao"
passo "um pedido foi decidido e guardado"

conversa=$(pede --header 'Content-Type: application/json' "$endereco/api/clinicas/conversas" \
  --data '{"paciente": {"nome": "Ana Braga", "cpf": "529.982.247-25"}}' | sed 's/.*"id":"\([^"]*\)".*/\1/')
turno=$(pede --header 'Content-Type: application/json' --header 'Accept: application/json' \
  "$endereco/api/clinicas/conversas/$conversa/mensagens" --data '{"texto": "quais os horários de cardiologista?"}')
for clinica in clinic_a clinic_c; do
  grep -q "\"clinic\":\"$clinica\",\"action\":\"list_available_slots\",[^}]*\"situacao\":\"respondeu\"" <<<"$turno" ||
    falha "A $clinica não respondeu: $turno"
done
pede --request DELETE "$endereco/api/clinicas/conversas/$conversa" >/dev/null
passo "as clínicas oferecem horários"

edital="ENSAIO-$vez"
pede --header 'Content-Type: application/json' "$endereco/api/editais" --data "{\"edital\": {\"id\": \"$edital\", \"nome\": \"Ensaio\",
  \"inscricoes\": {\"inicio\": \"2026-01-01\", \"fim\": \"2026-02-01\"}, \"ordem_fases\": [\"habilitacao\", \"avaliacao\"]},
  \"requisitos\": [{\"id\": \"R1\", \"clausula\": \"1\", \"tipo\": \"condicao\", \"campo\": \"municipio\", \"operador\": \"igual\", \"valor\": \"Caucaia\"}],
  \"projetos\": [{\"id\": \"P1\", \"titulo\": \"Reisado\", \"enviado_em\": \"2026-01-10T14:00:00-03:00\",
    \"proponente\": {\"nome\": \"Associação do Reisado\", \"cpf_cnpj\": \"11.222.333/0001-81\"}, \"campos\": {\"municipio\": \"Caucaia\"}}]}" >/dev/null
crivo triagem executar "$edital" --tenant ensaio --json </dev/null >/dev/null || falha "A triagem não terminou; há algum trabalhador no ar?"
passo "uma triagem foi feita pela fila de trabalhos"

crivo auditoria verificar --tenant ensaio --json </dev/null | grep -q '"integra":true' || falha "A auditoria não confere."
passo "a auditoria confere"
echo "A instalação passou no ensaio. Fica nela a organização 'ensaio', com dados inventados; para que ninguém aja nela:"
echo "  crivo organizacoes suspender ensaio --motivo 'Ensaio feito'"
