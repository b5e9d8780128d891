"""Every metric that this program serves, in the order in which `docs/vigiar.md` tells them."""

from __future__ import annotations

from typing import Final

from crivo.clinicas import medidas as das_clinicas
from crivo.kernel import medidas as do_nucleo
from crivo.kernel.medidas import Medida

VERSAO: Final = Medida("crivo_versao_info", "medidor", "Sempre 1; a versão do crivo, e o que este processo faz.", ("versao", "papel"))
COLETA: Final = Medida(
    "crivo_coleta_no_ar", "medidor", "1 se o que se pergunta deste grupo foi respondido a tempo na última vez; 0 se não.", ("grupo",)
)
COLETA_SEGUNDOS: Final = Medida("crivo_coleta_seconds", "medidor", "Quanto levou a última pergunta de cada grupo.", ("grupo",))

BANCO: Final = Medida("crivo_banco_no_ar", "medidor", "1 se o banco de dados responde a este processo; 0 se não.")
BANCO_BYTES: Final = Medida("crivo_banco_bytes", "medidor", "Tamanho do banco de dados no disco do PostgreSQL.")
BANCO_CONEXOES: Final = Medida("crivo_banco_conexoes", "medidor", "Conexões abertas com este banco, somados todos os processos.")
BANCO_CONEXOES_LIMITE: Final = Medida("crivo_banco_conexoes_limite", "medidor", "Conexões que o PostgreSQL aceita ao todo.")
POOL_TAMANHO: Final = Medida("crivo_banco_pool_tamanho", "medidor", "Conexões que este processo pode ter com o banco.")
POOL_EM_USO: Final = Medida("crivo_banco_pool_em_uso", "medidor", "Conexões deste processo que estão em uso.")
POOL_ESPERANDO: Final = Medida("crivo_banco_pool_esperando", "medidor", "Quem espera uma conexão deste processo.")
ESQUEMA: Final = Medida("crivo_banco_esquema_em_dia", "medidor", "1 se o esquema do banco é o que este programa conhece; 0 se é outro.")
ESQUEMA_INFO: Final = Medida(
    "crivo_banco_esquema_info", "medidor", "Sempre 1; o esquema do banco e o deste programa.", ("banco", "programa")
)
BACKUP_IDADE: Final = Medida("crivo_backup_idade_seconds", "medidor", "Há quanto tempo foi feito o último backup; falta onde nunca se fez.")

DISCO_LIVRE: Final = Medida("crivo_disco_livre_bytes", "medidor", "Espaço livre no disco da pasta de dados.")
DISCO_BYTES: Final = Medida("crivo_disco_bytes", "medidor", "Tamanho do disco da pasta de dados.")

FILA: Final = Medida(
    "crivo_fila_trabalhos",
    "medidor",
    "Trabalhos na fila: espera, marcado (para depois), fazendo ou falhou.",
    ("fila", "situacao"),
)
FILA_IDADE: Final = Medida(
    "crivo_fila_idade_seconds", "medidor", "Há quanto tempo espera o trabalho mais antigo que pode ser feito.", ("fila",)
)
FILA_PARADOS: Final = Medida("crivo_fila_parados", "medidor", "Trabalhos começados por um trabalhador que não dá mais sinal.")
TRABALHADORES: Final = Medida("crivo_trabalhadores_no_ar", "medidor", "Trabalhadores que deram sinal no último meio minuto.")

PRAZOS: Final = Medida(
    "crivo_prazos",
    "medidor",
    "O que espera por alguém, pelo prazo: vencido, proximo (vence hoje ou nos dois dias seguintes) ou em_dia. "
    "Os tipos são autorizacoes (revisões), diligencias (respostas de proponentes) e avaliacoes (notas a enviar).",
    ("tipo", "situacao"),
)
ABERTAS: Final = Medida(
    "crivo_autorizacoes_abertas",
    "medidor",
    "Autorizações que esperam por uma pessoa, por quando vence o prazo da RN 623: vencido, hoje, amanha, ate_5_dias, depois, ou sem_prazo "
    "onde o calendário de feriados não chega.",
    ("faixa",),
)
RECURSOS: Final = Medida("crivo_recursos_sem_resposta", "medidor", "Recursos recebidos que ainda não têm resposta.")
RECURSO_IDADE: Final = Medida("crivo_recurso_idade_seconds", "medidor", "Há quanto tempo espera o recurso mais antigo sem resposta.")
CARTAS: Final = Medida("crivo_cartas", "medidor", "Cartas que não saíram: na_fila, enviando ou falhou.", ("situacao",))
CARTA_IDADE: Final = Medida("crivo_carta_idade_seconds", "medidor", "Há quanto tempo espera a carta mais antiga que não saiu.")
ENTREGAS: Final = Medida("crivo_entregas_esperando", "medidor", "Avisos de decisões que esperam para ser entregues.")
ENTREGA_IDADE: Final = Medida(
    "crivo_entrega_idade_seconds",
    "medidor",
    "Há quanto tempo espera o aviso de decisão mais antigo, fora os de destinos que uma pessoa pausou.",
)
ENTREGAS_DESLIGADAS: Final = Medida(
    "crivo_entregas_destinos_desligados", "medidor", "Destinos de avisos que o crivo desligou: não existem mais, ou a fila deles encheu."
)

MODELO_MES: Final = Medida("crivo_modelo_custo_mes_dolares", "medidor", "Dólares pagos a modelos neste mês, somadas as organizações.")
MODELO_LIMITE: Final = Medida("crivo_modelo_limite_dolares", "medidor", "Quanto cada organização pode gastar por mês, se há limite.")
MODELO_USADO: Final = Medida(
    "crivo_modelo_orcamento_usado_ratio", "medidor", "Parte do limite do mês já gasta pela organização que mais gastou: 1 é tudo."
)

CLINICA: Final = Medida("crivo_clinica_no_ar", "medidor", "1 se a clínica responde; 0 se não.", ("clinica",))
CLINICA_SEGUNDOS: Final = Medida("crivo_clinica_seconds", "medidor", "Quanto a clínica levou para responder por último.", ("clinica",))
RECEPCAO: Final = Medida("crivo_recepcao_esperando", "medidor", "Conversas que esperam por uma pessoa e que ninguém assumiu.", ("urgente",))
RECEPCAO_ESPERA: Final = Medida(
    "crivo_recepcao_espera_seconds", "medidor", "Há quanto tempo espera por uma pessoa quem espera há mais tempo.", ("urgente",)
)

AUDITORIA: Final = Medida("crivo_auditoria_registros", "medidor", "Registros de auditoria, somadas as organizações.")
ANCORA_IDADE: Final = Medida(
    "crivo_auditoria_ancora_idade_seconds", "medidor", "Há quanto tempo foi anotado o fim da cadeia que há mais tempo não se anota."
)
SEM_ANCORA: Final = Medida("crivo_auditoria_sem_ancora", "medidor", "Organizações com registros cujo fim nunca foi anotado aqui.")
ATOS_EM_ESPERA: Final = Medida("crivo_auditoria_espera_bytes", "medidor", "Bytes de atos que ainda esperam para entrar na cadeia.")

HTTP: Final = Medida("crivo_http_requests_total", "contador", "Pedidos respondidos, pelo modelo do endereço.", ("metodo", "rota", "status"))
HTTP_SEGUNDOS: Final = Medida("crivo_http_seconds", "histograma", "Quanto se levou para responder.", ("metodo", "rota"))
DECISOES: Final = Medida("crivo_decisoes_total", "contador", "Decisões de autorização feitas e guardadas.", ("decisao_final",))

PERGUNTADAS: Final = (
    *(VERSAO, COLETA, COLETA_SEGUNDOS),
    *(BANCO, BANCO_BYTES, BANCO_CONEXOES, BANCO_CONEXOES_LIMITE, POOL_TAMANHO, POOL_EM_USO, POOL_ESPERANDO),
    *(ESQUEMA, ESQUEMA_INFO, BACKUP_IDADE, DISCO_LIVRE, DISCO_BYTES),
    *(FILA, FILA_IDADE, FILA_PARADOS, TRABALHADORES),
    *(PRAZOS, ABERTAS, RECURSOS, RECURSO_IDADE, CARTAS, CARTA_IDADE),
    *(ENTREGAS, ENTREGA_IDADE, ENTREGAS_DESLIGADAS),
    *(MODELO_MES, MODELO_LIMITE, MODELO_USADO),
    *(CLINICA, CLINICA_SEGUNDOS, RECEPCAO, RECEPCAO_ESPERA),
    *(AUDITORIA, ANCORA_IDADE, SEM_ANCORA, ATOS_EM_ESPERA),
)
"""What is asked when somebody looks."""
CATALOGO: Final[tuple[Medida, ...]] = (HTTP, HTTP_SEGUNDOS, DECISOES, *do_nucleo.CONTADAS, *das_clinicas.CONTADAS, *PERGUNTADAS)
