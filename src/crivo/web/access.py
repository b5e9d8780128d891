"""Which act each address is: one table with all of them, asked about before anything else of a request is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, Literal

from fastapi.routing import APIRoute, iter_route_contexts
from starlette.requests import Request
from starlette.routing import BaseRoute

from crivo.kernel.access import Acao, Acesso, Algum, ChaveRecusada, SessaoEncerrada, authorize, may
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.tenancy import Scope
from crivo.web.passos import PASSOS, EntradaCompleta, PassoPendente
from crivo.web.session_cookie import session_id_of
from crivo.web.state import enter, note_visita, scope_of, state_of, tenant_of

Admission = Acao | Literal["publica"]
PUBLIC: Final = "publica"
_WAY_OUT: Final = "/sair"
OF_PROGRAMS: Final = ("/api/", "/fhir/")  # where a key is shown; everywhere else, a session

ACCESS: Final[Mapping[tuple[str, str], Admission]] = {
    ("POST", "/api/autorizacoes"): "autorizacoes.decidir",
    ("POST", "/api/autorizacoes/lote"): "autorizacoes.decidir",
    ("GET", "/api/autorizacoes"): "autorizacoes.ler",
    ("GET", "/api/autorizacoes/esquema"): "autorizacoes.ler",
    ("GET", "/api/autorizacoes/{autorizacao_id}"): "autorizacoes.ler",
    ("GET", "/api/autorizacoes/{autorizacao_id}/trilha"): "autorizacoes.ler",
    ("GET", "/api/autorizacoes/{autorizacao_id}/prazo"): "autorizacoes.ler",
    ("POST", "/api/autorizacoes/tiss"): "autorizacoes.decidir",
    ("GET", "/api/autorizacoes/{autorizacao_id}/tiss"): "autorizacoes.ler",
    ("POST", "/api/autorizacoes/{autorizacao_id}/revisao"): "autorizacoes.revisar",
    ("GET", "/api/autorizacoes/{autorizacao_id}/revisao"): "autorizacoes.ler",
    ("GET", "/fhir/metadata"): PUBLIC,
    ("POST", "/fhir/Claim/$submit"): "autorizacoes.decidir",
    ("GET", "/fhir/ClaimResponse/{autorizacao_id}"): "autorizacoes.ler",
    ("GET", "/api/mapeamentos"): "politicas.ler",
    ("POST", "/api/mapeamentos"): "politicas.escrever",
    ("POST", "/api/mapeamentos/testar"): "politicas.ler",
    ("GET", "/api/mapeamentos/{mapeamento_id}"): "politicas.ler",
    ("GET", "/api/mapeamentos/{mapeamento_id}/publicacao"): "politicas.ler",
    ("POST", "/api/mapeamentos/{mapeamento_id}/publicar"): "politicas.escrever",
    ("POST", "/api/mapeamentos/{mapeamento_id}/encerrar"): "politicas.escrever",
    ("GET", "/api/autorizacoes/{autorizacao_id}/link"): "autorizacoes.ler",
    ("POST", "/api/autorizacoes/{autorizacao_id}/link"): "autorizacoes.dar_link",
    ("DELETE", "/api/autorizacoes/{autorizacao_id}/link"): "autorizacoes.dar_link",
    ("GET", "/api/entregas/destinos"): "entregas.ver",
    ("POST", "/api/entregas/destinos"): "entregas.administrar",
    ("GET", "/api/entregas/destinos/{destino_id}"): "entregas.ver",
    ("DELETE", "/api/entregas/destinos/{destino_id}"): "entregas.administrar",
    ("POST", "/api/entregas/destinos/{destino_id}/exemplo"): "entregas.administrar",
    ("POST", "/api/entregas/destinos/{destino_id}/segredo"): "entregas.administrar",
    ("GET", "/api/politicas"): "politicas.ler",
    ("POST", "/api/politicas"): "politicas.escrever",
    ("POST", "/api/politicas/planilha"): "politicas.escrever",
    ("GET", "/api/politicas/{politica_id}/documento"): "politicas.ler",
    ("GET", "/api/politicas/{politica_id}"): "politicas.ler",
    ("GET", "/api/politicas/{politica_id}/publicacao"): "politicas.ler",
    ("POST", "/api/politicas/{politica_id}/publicar"): "politicas.escrever",
    ("POST", "/api/politicas/{politica_id}/simular"): "politicas.simular",
    ("POST", "/api/politicas/{politica_id}/revogar"): "politicas.escrever",
    ("POST", "/api/politicas/{politica_id}/conferir"): "politicas.ler",
    ("POST", "/api/politicas/{politica_id}/testar"): "politicas.ler",
    ("GET", "/api/agentes"): "autorizacoes.ler",
    ("GET", "/api/auditoria/verificacao"): "auditoria.ler",
    ("GET", "/api/custos"): "custos.ver",
    ("GET", "/api/custos/chamadas"): "custos.ver",
    ("POST", "/api/clinicas/conversas"): "clinicas.conversar",
    ("GET", "/api/clinicas/consultas"): "clinicas.ver_as_proprias",
    ("GET", "/api/clinicas/conversas/{conversa_id}"): "clinicas.conversar",
    ("POST", "/api/clinicas/conversas/{conversa_id}/mensagens"): "clinicas.conversar",
    ("DELETE", "/api/clinicas/conversas/{conversa_id}"): "clinicas.conversar",
    ("GET", "/api/clinicas/atendimento"): "clinicas.atender",
    ("GET", "/api/clinicas/atendimento/{conversa_id}"): "clinicas.atender",
    ("POST", "/api/clinicas/atendimento/{conversa_id}/assumir"): "clinicas.atender",
    ("POST", "/api/clinicas/atendimento/{conversa_id}/respostas"): "clinicas.atender",
    ("POST", "/api/clinicas/atendimento/{conversa_id}/devolver"): "clinicas.atender",
    ("POST", "/api/ia/triagem"): "triagem.executar",
    ("GET", "/api/ia/triagem/{edital_id}"): "triagem.ler",
    ("GET", "/api/ia/triagem/{edital_id}/status"): "triagem.ler",
    ("POST", "/api/ia/triagem/{edital_id}/cancelar"): "triagem.executar",
    ("POST", "/api/ia/triagem/{edital_id}/retomar"): "triagem.executar",
    ("GET", "/api/ia/triagem/{edital_id}/estimativa"): "triagem.acompanhar",
    ("GET", "/api/ia/triagem/{edital_id}/exportacao"): "triagem.ler",
    ("GET", "/api/ia/triagem/{edital_id}/resultado"): "triagem.acompanhar",
    ("GET", "/api/ia/triagem/{edital_id}/resultado/versoes"): "triagem.acompanhar",
    ("GET", "/api/ia/triagem/{edital_id}/resultado/comparacao"): "triagem.acompanhar",
    ("GET", "/api/ia/triagem/{edital_id}/resultado/versoes/{numero}/documento"): "triagem.acompanhar",
    ("GET", "/api/ia/triagem/{edital_id}/recursos"): "triagem.acompanhar",
    ("POST", "/api/ia/triagem/{edital_id}/recursos"): "triagem.registrar_recursos",
    ("GET", "/api/ia/triagem/{edital_id}/recursos/{numero}"): "triagem.acompanhar",
    ("GET", "/api/ia/triagem/{edital_id}/decisoes"): "triagem.acompanhar",
    ("POST", "/api/ia/triagem/{edital_id}/decisoes"): "triagem.decidir",
    ("POST", "/api/ia/triagem/{edital_id}/decisoes/previa"): "triagem.decidir",
    ("POST", "/api/ia/triagem/{edital_id}/decisoes/atos/{ato_id}/desfazer"): "triagem.decidir",
    ("GET", "/api/ia/triagem/{edital_id}/avaliadores"): "triagem.acompanhar",
    ("POST", "/api/ia/triagem/{edital_id}/avaliadores"): "triagem.distribuir",
    ("POST", "/api/ia/triagem/{edital_id}/avaliadores/{avaliador_id}/tirar"): "triagem.distribuir",
    ("POST", "/api/ia/triagem/{edital_id}/atribuicoes/previa"): "triagem.distribuir",
    ("POST", "/api/ia/triagem/{edital_id}/atribuicoes"): "triagem.distribuir",
    ("POST", "/api/ia/triagem/{edital_id}/atribuicoes/atos/{ato_id}/desfazer"): "triagem.distribuir",
    ("POST", "/api/ia/triagem/{edital_id}/lembretes/previa"): "triagem.distribuir",
    ("POST", "/api/ia/triagem/{edital_id}/lembretes"): "triagem.distribuir",
    ("GET", "/api/ia/triagem/{edital_id}/concordancia"): "triagem.acompanhar",
    ("GET", "/api/ia/triagem/{edital_id}/casos"): "triagem.ver_casos",
    ("POST", "/api/ia/triagem/{edital_id}/casos/{numero}/decisao"): "triagem.tratar_casos",
    ("DELETE", "/api/ia/triagem/{edital_id}/casos/{numero}/decisao"): "triagem.tratar_casos",
    ("POST", "/api/ia/triagem/{edital_id}/casos/{numero}/dono"): "triagem.tratar_casos",
    ("POST", "/api/ia/triagem/{edital_id}/casos/{numero}/anotacoes"): "triagem.tratar_casos",
    ("GET", "/api/ia/triagem/{edital_id}/comparar"): "triagem.acompanhar",
    ("GET", "/api/ia/triagem/{edital_id}/procurar"): "triagem.acompanhar",
    ("GET", "/api/editais"): "triagem.ler",
    ("GET", "/api/editais/{edital_id}"): "triagem.acompanhar",
    ("POST", "/api/editais"): "triagem.executar",
    ("POST", "/api/editais/{edital_id}/projetos"): "triagem.executar",
    ("GET", "/api/avaliacoes"): "triagem.avaliar",
    ("GET", "/api/avaliacoes/{edital_id}/{projeto_id}"): "triagem.avaliar",
    ("PUT", "/api/avaliacoes/{edital_id}/{projeto_id}"): "triagem.avaliar",
    ("GET", "/publicacoes/{organizacao}"): PUBLIC,
    ("GET", "/publicacoes/{organizacao}/{codigo}.{formato}"): PUBLIC,
    ("GET", "/publicacoes/{organizacao}/{codigo}"): PUBLIC,
    ("GET", "/publicacoes/{organizacao}/{codigo}/conferir"): PUBLIC,
    ("POST", "/publicacoes/{organizacao}/{codigo}/conferir"): PUBLIC,
    ("GET", "/api/docs"): PUBLIC,
    ("GET", "/api/docs/{nome}"): PUBLIC,
    ("GET", "/healthz"): PUBLIC,
    ("GET", "/readyz"): PUBLIC,
    ("GET", "/static/{nome}"): PUBLIC,
    ("GET", "/entrar"): PUBLIC,
    ("POST", "/entrar"): PUBLIC,
    ("POST", "/entrar/senha"): PUBLIC,
    ("GET", "/entrar/oidc"): PUBLIC,
    ("GET", "/entrar/oidc/retorno"): PUBLIC,
    ("GET", "/entrar/nova-senha"): "conta.mudar",
    ("POST", "/entrar/nova-senha"): "conta.mudar",
    ("GET", "/entrar/codigo"): "conta.mudar",
    ("POST", "/entrar/codigo"): "conta.mudar",
    ("GET", "/entrar/segundo-fator"): "conta.mudar",
    ("POST", "/entrar/segundo-fator"): "conta.mudar",
    ("GET", "/conta"): "conta.mudar",
    ("POST", "/conta/senha"): "conta.mudar",
    ("POST", "/conta/nome"): "conta.mudar",
    ("POST", "/conta/avisos"): "conta.mudar",
    ("POST", "/conta/sessoes/encerrar"): "conta.mudar",
    ("POST", "/conta/chaves/encerrar"): "conta.mudar",
    ("GET", "/conta/segundo-fator"): "conta.mudar",
    ("POST", "/conta/segundo-fator"): "conta.mudar",
    ("POST", "/conta/segundo-fator/codigos"): "conta.mudar",
    ("POST", "/conta/segundo-fator/desligar"): "conta.mudar",
    ("GET", "/admin/pessoas"): "pessoas.administrar",
    ("POST", "/admin/pessoas"): "pessoas.administrar",
    ("POST", "/admin/pessoas/{usuario_id}/papel"): "pessoas.administrar",
    ("POST", "/admin/pessoas/{usuario_id}/dados"): "pessoas.administrar",
    ("POST", "/admin/pessoas/{usuario_id}/convite"): "pessoas.administrar",
    ("POST", "/admin/pessoas/{usuario_id}/acesso"): "pessoas.administrar",
    ("GET", "/admin/cotas"): "cotas.ver",
    ("GET", "/admin/organizacoes"): "organizacoes.administrar",
    ("POST", "/admin/organizacoes"): "organizacoes.administrar",
    ("GET", "/admin/organizacoes/{organizacao}"): "organizacoes.administrar",
    ("POST", "/admin/organizacoes/{organizacao}/nome"): "organizacoes.administrar",
    ("POST", "/admin/organizacoes/{organizacao}/cotas"): "organizacoes.administrar",
    ("POST", "/admin/organizacoes/{organizacao}/suspender"): "organizacoes.administrar",
    ("POST", "/admin/organizacoes/{organizacao}/reativar"): "organizacoes.administrar",
    ("POST", "/admin/organizacoes/{organizacao}/convite"): "organizacoes.administrar",
    ("GET", "/admin/chaves"): "chaves.administrar",
    ("POST", "/admin/chaves"): "chaves.administrar",
    ("POST", "/admin/chaves/{chave_id}/revogar"): "chaves.administrar",
    ("GET", "/admin/auditoria"): "auditoria.ler",
    ("GET", "/admin/cartas"): "cartas.ver",
    ("GET", "/admin/cartas/{carta_id}"): "cartas.tratar",
    ("GET", "/admin/cartas/{carta_id}/carta.eml"): "cartas.tratar",
    ("POST", "/admin/cartas/{carta_id}/de-novo"): "cartas.tratar",
    ("POST", "/admin/cartas/{carta_id}/entregue"): "cartas.tratar",
    ("GET", "/admin/entregas"): "entregas.ver",
    ("GET", "/admin/entregas/novo"): "entregas.administrar",
    ("POST", "/admin/entregas/novo"): "entregas.administrar",
    ("GET", "/admin/entregas/{destino_id}"): "entregas.ver",
    ("GET", "/admin/entregas/{destino_id}/entregas/{entrega_id}"): "entregas.ver",
    ("POST", "/admin/entregas/{destino_id}/exemplo"): "entregas.administrar",
    ("POST", "/admin/entregas/{destino_id}/pausar"): "entregas.administrar",
    ("POST", "/admin/entregas/{destino_id}/retomar"): "entregas.administrar",
    ("POST", "/admin/entregas/{destino_id}/segredo"): "entregas.administrar",
    ("POST", "/admin/entregas/{destino_id}/remover"): "entregas.administrar",
    ("POST", "/admin/entregas/{destino_id}/entregas/{entrega_id}/reenviar"): "entregas.administrar",
    ("GET", "/admin/componentes"): "inicio.ver",
    ("GET", "/admin/execucoes"): "execucoes.ver",
    ("GET", "/admin/execucoes/custos"): "custos.ver",
    ("GET", "/admin/execucoes/custos.csv"): "custos.ver",
    ("GET", "/admin/execucoes/chamadas"): "custos.ver",
    ("GET", "/admin/execucoes/chamadas.csv"): "custos.ver",
    ("POST", "/sair"): "inicio.ver",
    ("GET", "/"): "inicio.ver",
    ("GET", "/autorizacoes"): "autorizacoes.ler",
    ("POST", "/autorizacoes"): "autorizacoes.decidir",
    ("GET", "/autorizacoes/exemplo"): "autorizacoes.decidir",
    ("GET", "/autorizacoes/novo"): "autorizacoes.decidir",
    ("POST", "/autorizacoes/novo"): "autorizacoes.decidir",
    ("GET", "/autorizacoes/recebidas"): "autorizacoes.ler",
    ("GET", "/autorizacoes/fila"): "autorizacoes.revisar",
    ("POST", "/autorizacoes/fila/proxima"): "autorizacoes.revisar",
    ("POST", "/autorizacoes/fila/lote"): "autorizacoes.revisar",
    ("POST", "/autorizacoes/fila/partilhar"): "autorizacoes.revisar",
    ("POST", "/autorizacoes/fila/desfazer"): "autorizacoes.revisar",
    ("GET", "/autorizacoes/calendarios"): "autorizacoes.definir_prazos",
    ("POST", "/autorizacoes/calendarios"): "autorizacoes.definir_prazos",
    ("POST", "/autorizacoes/calendarios/retirar"): "autorizacoes.definir_prazos",
    ("GET", "/autorizacoes/{autorizacao_id}"): "autorizacoes.ler",
    ("POST", "/autorizacoes/{autorizacao_id}/link"): "autorizacoes.dar_link",
    ("POST", "/autorizacoes/{autorizacao_id}/link/revogar"): "autorizacoes.dar_link",
    ("GET", "/d/{segredo}"): PUBLIC,
    ("POST", "/d/{segredo}"): PUBLIC,
    ("POST", "/autorizacoes/{autorizacao_id}/reservar"): "autorizacoes.revisar",
    ("POST", "/autorizacoes/{autorizacao_id}/assumir"): "autorizacoes.revisar",
    ("POST", "/autorizacoes/{autorizacao_id}/soltar"): "autorizacoes.revisar",
    ("POST", "/autorizacoes/{autorizacao_id}/liberar"): "autorizacoes.revisar",
    ("POST", "/autorizacoes/{autorizacao_id}/liberar-de-outro"): "autorizacoes.liberar_de_outro",
    ("GET", "/autorizacoes/{autorizacao_id}/revisao"): "autorizacoes.revisar",
    ("POST", "/autorizacoes/{autorizacao_id}/revisao"): "autorizacoes.revisar",
    ("GET", "/autorizacoes/{autorizacao_id}/decisao.json"): "autorizacoes.ler",
    ("GET", "/autorizacoes/{autorizacao_id}/trilha.json"): "autorizacoes.ler",
    ("GET", "/formatos"): "politicas.ler",
    ("GET", "/formatos/novo"): "politicas.escrever",
    ("POST", "/formatos/novo"): "politicas.escrever",
    ("GET", "/formatos/{formato_id}"): "politicas.ler",
    ("GET", "/formatos/{formato_id}/publicar"): "politicas.escrever",
    ("POST", "/formatos/{formato_id}/publicar"): "politicas.escrever",
    ("GET", "/formatos/{formato_id}/encerrar"): "politicas.escrever",
    ("POST", "/formatos/{formato_id}/encerrar"): "politicas.escrever",
    ("GET", "/politicas"): "politicas.ler",
    ("GET", "/politicas/comparar"): "politicas.ler",
    ("GET", "/politicas/simular"): "politicas.simular",
    ("POST", "/politicas/simular"): "politicas.simular",
    ("GET", "/politicas/exemplo"): "politicas.escrever",
    ("GET", "/politicas/importar"): "politicas.escrever",
    ("POST", "/politicas/importar"): "politicas.escrever",
    ("GET", "/politicas/planilha"): "politicas.escrever",
    ("POST", "/politicas/planilha"): "politicas.escrever",
    ("GET", "/politicas/{politica_id}/baixar"): "politicas.ler",
    ("GET", "/politicas/campos"): "politicas.ler",
    ("POST", "/politicas/campos/{mapeamento_id}"): "politicas.escrever",
    ("GET", "/politicas/{politica_id}"): "politicas.ler",
    ("GET", "/politicas/{politica_id}/casos"): "politicas.ler",
    ("POST", "/politicas/{politica_id}/casos/gravar"): "politicas.escrever",
    ("POST", "/politicas/{politica_id}/casos/aceitar"): "politicas.escrever",
    ("POST", "/politicas/{politica_id}/casos/apagar"): "politicas.escrever",
    ("GET", "/politicas/{politica_id}/publicar"): "politicas.escrever",
    ("POST", "/politicas/{politica_id}/publicar"): "politicas.escrever",
    ("GET", "/politicas/{politica_id}/revogar"): "politicas.escrever",
    ("POST", "/politicas/{politica_id}/revogar"): "politicas.escrever",
    ("GET", "/minhas-consultas"): "clinicas.ver_as_proprias",
    ("GET", "/minhas-consultas/mudar"): "clinicas.ver_as_proprias",
    ("POST", "/minhas-consultas/mudar"): "clinicas.ver_as_proprias",
    ("GET", "/minhas-consultas/cancelar"): "clinicas.ver_as_proprias",
    ("POST", "/minhas-consultas/cancelar"): "clinicas.ver_as_proprias",
    ("GET", "/clinicas/contas"): "clinicas.vincular_conta",
    ("POST", "/clinicas/contas"): "clinicas.vincular_conta",
    ("POST", "/clinicas/contas/convite"): "clinicas.vincular_conta",
    ("GET", "/clinicas/conversa"): "clinicas.conversar",
    ("POST", "/clinicas/conversa"): "clinicas.conversar",
    ("GET", "/clinicas/conversa/{conversa_id}"): "clinicas.conversar",
    ("POST", "/clinicas/conversa/{conversa_id}"): "clinicas.conversar",
    ("GET", "/clinicas/conversa/{conversa_id}/encerrar"): "clinicas.conversar",
    ("POST", "/clinicas/conversa/{conversa_id}/encerrar"): "clinicas.conversar",
    ("GET", "/clinicas/conversa/{conversa_id}/eventos"): "clinicas.conversar",
    ("GET", "/clinicas/conversa/{conversa_id}/comprovante"): "clinicas.conversar",
    ("GET", "/clinicas/atendimento"): "clinicas.atender",
    ("GET", "/clinicas/atendimento/eventos"): "clinicas.atender",
    ("GET", "/clinicas/atendimento/{conversa_id}"): "clinicas.atender",
    ("POST", "/clinicas/atendimento/{conversa_id}/assumir"): "clinicas.atender",
    ("POST", "/clinicas/atendimento/{conversa_id}/responder"): "clinicas.atender",
    ("POST", "/clinicas/atendimento/{conversa_id}/devolver"): "clinicas.atender",
    ("GET", "/clinicas/situacao"): "clinicas.acompanhar",
    ("GET", "/clinicas/avaliacao"): "clinicas.acompanhar",
    ("GET", "/admin/editais"): "triagem.acompanhar",
    ("GET", "/admin/editais/exemplo"): "triagem.executar",
    ("POST", "/admin/editais"): "triagem.executar",
    ("GET", "/admin/editais/novo"): "triagem.executar",
    ("POST", "/admin/editais/novo"): "triagem.executar",
    ("GET", "/admin/editais/{edital_id}"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/editar"): "triagem.executar",
    ("POST", "/admin/editais/{edital_id}/editar"): "triagem.executar",
    ("GET", "/admin/editais/{edital_id}/classificacao"): "triagem.executar",
    ("POST", "/admin/editais/{edital_id}/classificacao"): "triagem.executar",
    ("POST", "/admin/editais/{edital_id}/classificacao/previa"): "triagem.executar",
    ("GET", "/admin/editais/{edital_id}/projetos"): "triagem.executar",
    ("POST", "/admin/editais/{edital_id}/projetos"): "triagem.executar",
    ("GET", "/admin/editais/{edital_id}/triagem-ia"): "triagem.acompanhar",
    ("POST", "/admin/editais/{edital_id}/triagem-ia"): "triagem.executar",
    ("POST", "/admin/editais/{edital_id}/triagem-ia/cancelar"): "triagem.executar",
    ("POST", "/admin/editais/{edital_id}/triagem-ia/retomar"): "triagem.executar",
    ("GET", "/admin/editais/{edital_id}/triagem-ia/andamento"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/triagem-ia/exportacao"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/casos/{numero}"): "triagem.tratar_casos",
    ("POST", "/admin/editais/{edital_id}/casos/{numero}"): "triagem.tratar_casos",
    ("GET", "/admin/editais/{edital_id}/projetos/{projeto_id}/dossie.{formato}"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/projetos/{projeto_id}/habilitacao"): "triagem.decidir",
    ("POST", "/admin/editais/{edital_id}/projetos/{projeto_id}/habilitacao"): "triagem.decidir",
    ("GET", "/admin/editais/{edital_id}/notas"): "triagem.executar",
    ("POST", "/admin/editais/{edital_id}/notas"): "triagem.executar",
    ("GET", "/admin/editais/{edital_id}/notas/modelo"): "triagem.executar",
    ("GET", "/admin/editais/{edital_id}/notas/trazer"): "triagem.executar",
    ("POST", "/admin/editais/{edital_id}/notas/trazer"): "triagem.executar",
    ("GET", "/admin/editais/{edital_id}/avaliadores"): "triagem.acompanhar",
    ("POST", "/admin/editais/{edital_id}/avaliadores"): "triagem.distribuir",
    ("GET", "/admin/editais/{edital_id}/avaliadores/{avaliador_id}/tirar"): "triagem.distribuir",
    ("POST", "/admin/editais/{edital_id}/avaliadores/{avaliador_id}/tirar"): "triagem.distribuir",
    ("GET", "/admin/editais/{edital_id}/diligencias"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/diligencias/{numero}"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/diligencias/{numero}/documentos/{ordem}"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/diligencias/{numero}/prorrogar"): "triagem.diligenciar",
    ("POST", "/admin/editais/{edital_id}/diligencias/{numero}/prorrogar"): "triagem.diligenciar",
    ("GET", "/admin/editais/{edital_id}/diligencias/{numero}/cancelar"): "triagem.diligenciar",
    ("POST", "/admin/editais/{edital_id}/diligencias/{numero}/cancelar"): "triagem.diligenciar",
    ("GET", "/admin/editais/{edital_id}/diligencias/{numero}/resposta"): "triagem.diligenciar",
    ("POST", "/admin/editais/{edital_id}/diligencias/{numero}/resposta"): "triagem.diligenciar",
    ("GET", "/admin/editais/{edital_id}/projetos/{projeto_id}/diligencia"): "triagem.diligenciar",
    ("POST", "/admin/editais/{edital_id}/projetos/{projeto_id}/diligencia"): "triagem.diligenciar",
    ("GET", "/diligencias/{organizacao}/{codigo}"): PUBLIC,
    ("POST", "/diligencias/{organizacao}/{codigo}"): PUBLIC,
    ("GET", "/admin/editais/{edital_id}/selecao"): "triagem.acompanhar",
    ("POST", "/admin/editais/{edital_id}/selecao"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/distribuicao"): "triagem.distribuir",
    ("POST", "/admin/editais/{edital_id}/distribuicao"): "triagem.distribuir",
    ("GET", "/admin/editais/{edital_id}/distribuicao/atos/{ato_id}/desfazer"): "triagem.distribuir",
    ("POST", "/admin/editais/{edital_id}/distribuicao/atos/{ato_id}/desfazer"): "triagem.distribuir",
    ("GET", "/admin/editais/{edital_id}/sorteio"): "triagem.distribuir",
    ("POST", "/admin/editais/{edital_id}/sorteio"): "triagem.distribuir",
    ("GET", "/admin/editais/{edital_id}/calibracao"): "triagem.distribuir",
    ("POST", "/admin/editais/{edital_id}/calibracao"): "triagem.distribuir",
    ("GET", "/admin/editais/{edital_id}/avaliadores/{avaliador_id}"): "triagem.distribuir",
    ("POST", "/admin/editais/{edital_id}/avaliadores/{avaliador_id}"): "triagem.distribuir",
    ("GET", "/admin/editais/{edital_id}/lembrete"): "triagem.distribuir",
    ("POST", "/admin/editais/{edital_id}/lembrete"): "triagem.distribuir",
    ("GET", "/admin/editais/{edital_id}/decisoes"): "triagem.acompanhar",
    ("POST", "/admin/editais/{edital_id}/decisoes"): "triagem.decidir",
    ("GET", "/admin/editais/{edital_id}/decisoes/previa"): "triagem.decidir",
    ("POST", "/admin/editais/{edital_id}/decisoes/previa"): "triagem.decidir",
    ("GET", "/admin/editais/{edital_id}/decisoes/atos/{ato_id}/desfazer"): "triagem.decidir",
    ("POST", "/admin/editais/{edital_id}/decisoes/atos/{ato_id}/desfazer"): "triagem.decidir",
    ("POST", "/admin/editais/{edital_id}/projetos/{projeto_id}/reabrir"): "triagem.decidir",
    ("GET", "/admin/editais/{edital_id}/projetos/{projeto_id}/documentos/{documento_id}"): "triagem.abrir_documento",
    ("GET", "/admin/editais/{edital_id}/projetos/{projeto_id}/documentos/{documento_id}/arquivo"): "triagem.abrir_documento",
    (
        "GET",
        "/admin/editais/{edital_id}/projetos/{projeto_id}/documentos/{documento_id}/paginas/{numero}.png",
    ): "triagem.abrir_documento",
    ("GET", "/recursos/{organizacao}"): PUBLIC,
    ("POST", "/recursos/{organizacao}"): PUBLIC,
    ("GET", "/recursos/{organizacao}/{codigo}"): PUBLIC,
    ("POST", "/recursos/{organizacao}/{codigo}"): PUBLIC,
    ("GET", "/admin/editais/{edital_id}/recursos"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/recursos/novo"): "triagem.registrar_recursos",
    ("POST", "/admin/editais/{edital_id}/recursos/novo"): "triagem.registrar_recursos",
    ("GET", "/admin/editais/{edital_id}/recursos/codigos"): "triagem.registrar_recursos",
    ("POST", "/admin/editais/{edital_id}/recursos/codigos"): "triagem.registrar_recursos",
    ("GET", "/admin/editais/{edital_id}/recursos/{numero}"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/recursos/{numero}/resposta"): "triagem.responder_recursos",
    ("POST", "/admin/editais/{edital_id}/recursos/{numero}/resposta"): "triagem.responder_recursos",
    ("POST", "/admin/editais/{edital_id}/recursos/{numero}/desfazer"): "triagem.responder_recursos",
    ("GET", "/admin/editais/{edital_id}/recursos/{numero}/papeis/{ordem}"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/recursos/{numero}/papeis/{ordem}/arquivo"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/recursos/{numero}/papeis/{ordem}/paginas/{pagina}.png"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/ranking"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/resultado"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/resultado/publicacoes"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/resultado/comparacao"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/resultado/publicar"): "triagem.publicar",
    ("POST", "/admin/editais/{edital_id}/resultado/publicar"): "triagem.publicar",
    ("GET", "/admin/editais/{edital_id}/resultado/desistencias"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/resultado/desistencias/{projeto_id}"): "triagem.decidir",
    ("POST", "/admin/editais/{edital_id}/resultado/desistencias/{projeto_id}"): "triagem.decidir",
    ("GET", "/admin/editais/{edital_id}/resultado/rascunho.{formato}"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/resultado/{numero}.{formato}"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/mesa"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/mesa/visoes"): "triagem.acompanhar",
    ("POST", "/admin/editais/{edital_id}/mesa/visoes"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/mesa/lote"): "triagem.decidir",
    ("GET", "/admin/editais/{edital_id}/mesa/desfazer"): "triagem.decidir",
    ("POST", "/admin/editais/{edital_id}/mesa/lote"): "triagem.decidir",
    ("POST", "/admin/editais/{edital_id}/mesa/desfazer"): "triagem.decidir",
    ("GET", "/admin/editais/{edital_id}/mesa/{projeto_id}"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/mesa/{projeto_id}/decidir"): "triagem.decidir",
    ("POST", "/admin/editais/{edital_id}/mesa/{projeto_id}/decidir"): "triagem.decidir",
    ("GET", "/admin/editais/{edital_id}/comparar"): "triagem.acompanhar",
    ("GET", "/admin/editais/{edital_id}/procurar"): "triagem.acompanhar",
    ("GET", "/avaliacao"): "triagem.avaliar",
    ("GET", "/avaliacao/{projeto_id}"): "triagem.avaliar",
    ("POST", "/avaliacao/{projeto_id}"): "triagem.avaliar",
    ("POST", "/avaliacao/{projeto_id}/enviar"): "triagem.avaliar",
    ("POST", "/avaliacao/{projeto_id}/impedimento"): "triagem.avaliar",
}


class ChaveAusente(CrivoError):
    """A program came without its key."""

    codigo: ClassVar[str] = "chave_ausente"
    kind: ClassVar[Kind] = Kind.UNAUTHENTICATED
    titulo: ClassVar[str] = "Falta a chave de API"


async def admit(request: Request) -> None:
    """Let a request through as the table says, and note who is acting.

    Raises ChaveAusente, ChaveRecusada, SemPermissao, PedidosDemais, CotaEsgotada, SessaoEncerrada, OrganizacaoSuspensa, PassoPendente or
    EntradaCompleta.
    """
    path = request.scope["route"].path
    admission = ACCESS[request.method, path]
    if admission == "publica":
        return
    await (_know_program if path.startswith(OF_PROGRAMS) else _know_person)(request)
    scope = scope_of(request)
    authorize(scope.sujeito, admission, Algum(tenant_of(request, admission)))


async def is_still_admitted(request: Request) -> bool:
    """Whether who was let in would be let in now, as the same subject: asked of the session or key as it stands, and of the table."""
    path, scope = request.scope["route"].path, scope_of(request)
    admission = ACCESS[request.method, path]
    if admission == "publica":
        return True
    try:
        now = await (_program(request) if path.startswith(OF_PROGRAMS) else _still_signed_in(request))
    except CrivoError:
        return False
    return now.sujeito == scope.sujeito and may(now.sujeito, admission, Algum(tenant_of(request, admission)))


def check_table(routes: Sequence[BaseRoute], table: Mapping[tuple[str, str], Admission] = ACCESS) -> None:
    """Raises ValueError unless the table and the routes name the same addresses: nothing is open because it was forgotten."""
    found = [context.original_route for context in iter_route_contexts(routes)]
    served = {(method, route.path) for route in found if isinstance(route, APIRoute) for method in route.methods or ()}
    difference = served.symmetric_difference(table)
    if difference:
        raise ValueError(f"routes and access table differ: {sorted(difference)}")


def methods_of(path: str) -> str:
    """The methods that an address takes, for the Allow header."""
    return ", ".join(method for method, address in ACCESS if address == path)


async def _know_program(request: Request) -> None:
    acesso = await _access(request)
    scope = acesso.scope
    enter(request, scope)
    await state_of(request).limiter.hit(scope.tenant_id, scope.ator)
    if acesso.por_minuto is not None:
        await state_of(request).cota_por_minuto.hit(scope.tenant_id, acesso.por_minuto)


async def _program(request: Request) -> Scope:
    return (await _access(request)).scope


async def _access(request: Request) -> Acesso:
    """Who the key that came acts for. Raises ChaveAusente, ChaveRecusada, OrganizacaoSuspensa."""
    state = state_of(request)
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not key.strip():
        raise ChaveAusente("Envie a chave de API no cabeçalho: Authorization: Bearer crv_...")
    try:
        return await state.porteiro.authenticate(key.strip())
    except ChaveRecusada:
        await state.recusas.chave(key.strip())
        raise


async def _know_person(request: Request) -> None:
    is_leaving = request.scope["route"].path == _WAY_OUT
    visita = await state_of(request).sessoes.session(_session_id(request), is_leaving=is_leaving)
    enter(request, visita.scope, visita.nome)
    note_visita(request, visita)
    # What is still to be done of an entry is done first, and nothing else.
    path = request.scope["route"].path
    if visita.falta is not None and path not in (PASSOS[visita.falta], _WAY_OUT):
        raise PassoPendente(visita.falta)
    if visita.falta is None and path in PASSOS.values():
        raise EntradaCompleta("Sua entrada já está completa.")


async def _still_signed_in(request: Request) -> Scope:
    """Who the session speaks for; to go on listening is no visit. Raises SessaoEncerrada."""
    return (await state_of(request).sessoes.session(_session_id(request), is_visit=False)).scope


def _session_id(request: Request) -> str:
    session_id = session_id_of(request)
    if session_id is None:
        raise SessaoEncerrada("Entre para continuar.")
    return session_id
