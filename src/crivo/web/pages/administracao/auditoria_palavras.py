"""How an entry of the audit reads: what was done, by whom, and to what; no name of the machinery stands on the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote
from uuid import UUID

import msgspec

from crivo.auditoria.conferencia import Conferencia
from crivo.auditoria.palavras import ANCORAS, NOME_DA_LINHA
from crivo.kernel.audit import CHAVE, Break, Entry, RowBreak
from crivo.kernel.audit.anchors import AnchorBreak
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.rotulo import Rotulo
from crivo.triagem.casos.palavras import SITUACAO_CASO
from crivo.triagem.palavras import HABILITACAO, count
from crivo.web.pages.atores import ator_em_palavras


@dataclass(frozen=True, slots=True)
class Assunto:
    """Actions that belong together, as a choice of the filter: each with what it says of whoever did it."""

    nome: str
    acoes: Mapping[str, str]


ASSUNTOS: Final[Mapping[str, Assunto]] = {
    "entradas": Assunto(
        "Entradas e saídas",
        {
            "sessao_aberta": "Entrou",
            "sessao_encerrada": "Saiu",
            "entrada_recusada": "Tentou entrar e foi recusado",
            "chave_recusada": "Usou uma chave de API que não vale",
            "entrada_comecada": "Começou a entrar",
            "sessoes_encerradas": "Encerrou outras sessões suas",
        },
    ),
    "pessoas": Assunto(
        "Pessoas e acessos",
        {
            "organizacao_criada": "Criou esta organização",
            "organizacao_renomeada": "Mudou o nome desta organização",
            "organizacao_suspensa": "Suspendeu esta organização",
            "organizacao_reativada": "Reativou esta organização",
            "cotas_mudadas": "Mudou as cotas desta organização",
            "administracao_convidada": "Convidou quem administra esta organização",
            "instalacao.organizacao_criada": "Criou outra organização",
            "instalacao.organizacao_renomeada": "Mudou o nome de outra organização",
            "instalacao.organizacao_suspensa": "Suspendeu outra organização",
            "instalacao.organizacao_reativada": "Reativou outra organização",
            "instalacao.cotas_mudadas": "Mudou as cotas de outra organização",
            "instalacao.administracao_convidada": "Convidou quem administra outra organização",
            "usuario_criado": "Cadastrou uma pessoa",
            "conta_vinculada": "Ligou a conta de um paciente ao CPF dele",
            "usuario_desativado": "Tirou o acesso de uma pessoa",
            "usuario_reativado": "Devolveu o acesso de uma pessoa",
            "papel_mudado": "Mudou o papel de uma pessoa",
            "nome_mudado": "Mudou o nome de uma pessoa",
            "email_mudado": "Mudou o e-mail de uma pessoa",
            "senha_mudada": "Mudou uma senha",
            "inscricao_comecada": "Começou a ligar o segundo fator",
            "segundo_fator_ligado": "Ligou o segundo fator",
            "segundo_fator_tirado": "Tirou um segundo fator",
            "segundo_fator_recusado": "Errou o código do segundo fator",
            "codigo_de_recuperacao_usado": "Usou um código de recuperação",
            "codigos_de_recuperacao_trocados": "Trocou os códigos de recuperação",
            "link_criado": "Criou um link de entrada",
            "convite_criado": "Criou um convite",
            "pessoa.exportada": "Reuniu os dados de uma pessoa, a pedido dela",
            "pessoa.apagada": "Apagou os dados de uma pessoa, a pedido dela",
            "pessoas.retencao": "Apagou dados que passaram do prazo de guarda",
        },
    ),
    "auditoria": Assunto(
        "Auditoria e cópias",
        {
            "auditoria.selada": "Fechou a auditoria a linhas sem lacre",
            "linhas.seladas": "Lacrou linhas de antes dos lacres",
            "banco.copiado": "Fez uma cópia de segurança de toda a instalação",
            "banco.restaurado": "Trouxe a instalação de volta de uma cópia de segurança",
        },
    ),
    "chaves": Assunto("Chaves de API", {"chave_criada": "Criou uma chave de API", "chave_revogada": "Revogou uma chave de API"}),
    "politicas": Assunto(
        "Políticas",
        {
            "politica.importada": "Importou uma política",
            "politica.publicada": "Publicou uma política",
            "politica.revogada": "Revogou uma política",
            "politica.casos_gravados": "Gravou casos de teste de uma política",
            "politica.caso_apagado": "Apagou um caso de teste de uma política",
            "politica.simulada": "Simulou uma política sobre pedidos decididos",
            "campos.definidos": "Definiu nomes de campos",
            "formato.importado": "Importou um mapeamento de formato",
            "formato.publicado": "Publicou um mapeamento de formato",
            "formato.encerrado": "Encerrou um mapeamento de formato",
            "planilha.mapa_guardado": "Guardou o que é cada coluna da planilha de uma administradora",
            "mapeamento.confirmado": "Confirmou um nome de campo proposto",
            "mapeamento.recusado": "Recusou um nome de campo proposto",
        },
    ),
    "autorizacoes": Assunto(
        "Autorizações",
        {
            "autorizacao.decidida": "Decidiu um pedido",
            "autorizacao.lida": "Leu uma decisão",
            "autorizacao.reservada": "Pegou uma decisão para rever",
            "autorizacao.devolvida": "Devolveu uma decisão à fila",
            "autorizacao.liberada": "Devolveu à fila uma decisão que estava com outra pessoa",
            "autorizacao.revista": "Reviu uma decisão",
            "fila.assumida": "Assumiu decisões da fila",
            "fila.dada": "Deu decisões da fila a uma pessoa",
            "fila.solta": "Soltou decisões da fila",
            "fila.desfeita": "Desfez o que tinha feito na fila",
            "calendario.definido": "Disse os dias que contam nos prazos",
            "calendario.retirado": "Retirou um calendário de prazos",
            "autorizacao.selada": "Fechou à chave uma decisão antiga",
        },
    ),
    "editais": Assunto(
        "Editais e triagens",
        {
            "edital.importado": "Importou um edital",
            "projetos.trazidos": "Trouxe projetos para um edital",
            "edital.criado": "Escreveu um edital",
            "edital.alterado": "Mudou um edital",
            "edital.regras_mudadas": "Mudou as regras de classificação de um edital",
            "edital.apagados_aceitos": "Importou de novo quem tinha pedido para ser apagado, com novo consentimento",
            "triagem.exportada": "Exportou o resultado de uma triagem",
            "resultado.exportado": "Exportou os lugares de um edital",
            "dossie.exportado": "Exportou o dossiê de um projeto",
            "documento.baixado": "Baixou um documento",
            "triagem.iniciada": "Começou uma triagem",
            "triagem.concluida": "Concluiu uma triagem",
            "triagem.cancelada": "Cancelou uma triagem",
            "triagem.retomada": "Retomou uma triagem",
            "triagem.falhou": "Encerrou uma triagem com erro",
            "diligencia.pedida": "Pediu uma diligência",
            "diligencia.respondida": "Respondeu a uma diligência",
            "diligencia.julgada": "Conferiu os documentos de uma diligência",
            "diligencia.prorrogada": "Prorrogou o prazo de uma diligência",
            "diligencia.cancelada": "Cancelou uma diligência",
            "diligencia.baixada": "Baixou um documento de uma diligência",
            "habilitacao.decidida": "Decidiu a habilitação de um projeto",
            "habilitacao.importada": "Trouxe em um arquivo a habilitação de um projeto, decidida fora daqui",
            "habilitacao.desfeita": "Desfez uma decisão de habilitação",
            "desistencia.registrada": "Registrou que um projeto desistiu",
            "desistencia.desfeita": "Desfez uma desistência",
            "caso.decidido": "Decidiu um caso",
            "caso.desfeito": "Desfez a decisão de um caso",
            "caso.assumido": "Mudou quem cuida de um caso",
            "caso.anotado": "Anotou um caso",
            "visao.salva": "Salvou uma visão da mesa",
            "visao.apagada": "Apagou uma visão da mesa",
            "avaliador.incluido": "Pôs uma pessoa para avaliar um edital",
            "avaliador.saiu": "Tirou uma pessoa de quem avalia um edital",
            "avaliador.lembrado": "Lembrou quem avalia das notas que faltam",
            "projeto.distribuido": "Deu um projeto a quem avalia",
            "projeto.tirado": "Tirou um projeto de quem avalia",
            "resultado.publicado": "Publicou um resultado",
            "recurso.codigos_vistos": "Viu os códigos de recurso de um edital",
            "recurso.codigos_enviados": "Enviou por carta os códigos de recurso de um edital",
            "recurso.codigo_trocado": "Trocou o código de recurso de um projeto",
            "recurso.apresentado": "Apresentou um recurso, com o código do projeto",
            "recurso.registrado": "Registrou um recurso que veio em papel",
            "recurso.respondido": "Respondeu a um recurso",
            "recurso.resposta_desfeita": "Desfez a resposta a um recurso",
            "recurso.papel_baixado": "Baixou um papel de um recurso",
            "distribuicao.desfeita": "Desfez a entrega de um projeto a quem avalia",
            "avaliadores.sorteados": "Sorteou quem avalia os projetos de um edital",
            "avaliador.categorias": "Mudou as categorias em que uma pessoa avalia",
            "impedimento.registrado": "Registrou que uma pessoa não pode avaliar um projeto",
            "impedimento.desfeito": "Desfez o impedimento de uma pessoa em um projeto",
            "calibracao.comecada": "Começou a calibração de quem avalia",
            "calibracao.aberta": "Abriu os demais projetos antes do fim da calibração",
            "calibracao.fechada": "Fechou de novo os demais projetos até o fim da calibração",
            "calibracao.desfeita": "Desfez a calibração de quem avalia",
            "prazo.reaberto": "Reabriu o prazo das notas para uma pessoa",
            "prazo.desfeito": "Desfez o prazo maior de uma pessoa",
            "avaliacao.registrada": "Registrou notas de um projeto",
            "avaliacao.enviada": "Enviou uma avaliação",
            "avaliacao.importada": "Trouxe em um arquivo notas que pessoas deram a um projeto",
            "notas.modelo": "Baixou a planilha de notas para preencher",
            "notas.trazidas": "Trouxe uma planilha de notas e habilitações",
            "avaliacao.reaberta": "Reabriu uma avaliação",
            "avaliacao.selada": "Fechou à chave avaliações antigas",
        },
    ),
    "cartas": Assunto(
        "Cartas",
        {
            "carta.enviada": "Enviou uma carta",
            "carta.falhou": "Desistiu de enviar uma carta",
            "carta.aberta": "Abriu uma carta, com o endereço inteiro",
            "carta.baixada": "Baixou uma carta, para enviá-la",
            "carta.de_novo": "Pôs de novo na fila uma carta que não saiu",
            "carta.por_outro_meio": "Marcou uma carta como entregue por outro meio",
        },
    ),
    "entregas": Assunto(
        "Entregas de decisões",
        {
            "entregas.registrado": "Registrou para onde vão os avisos de decisões",
            "entregas.segredo_trocado": "Trocou o segredo que assina os avisos",
            "entregas.pausado": "Pausou um destino de avisos",
            "entregas.retomado": "Retomou um destino de avisos",
            "entregas.removido": "Removeu um destino de avisos",
            "entregas.exemplo": "Enviou um aviso de exemplo",
            "entregas.desligado": "Desligou um destino de avisos que não recebe mais",
            "entrega.desistida": "Desistiu de entregar um aviso",
            "entrega.reenviada": "Enviou de novo um aviso",
            "autorizacao.link_feito": "Fez o link do beneficiário para uma decisão",
            "autorizacao.link_revogado": "Revogou o link do beneficiário",
            "autorizacao.link_aberto": "Leu uma decisão pelo link do beneficiário",
            "autorizacao.link_bloqueado": "Fechou um link do beneficiário, depois de cinco códigos errados",
        },
    ),
    "consultas": Assunto(
        "Consultas e pacientes",
        {
            "consulta.marcada": "Marcou uma consulta",
            "consulta.remarcada": "Remarcou uma consulta",
            "consulta.cancelada": "Cancelou uma consulta",
            "consulta.incerta": "Pediu o que a clínica não confirmou",
            "pacientes.listados": "Viu a lista de pacientes",
            "consultas.vistas": "Viu as consultas de um paciente",
            "paciente.lido": "Leu o cadastro de um paciente",
            "agenda.exportada": "Exportou a agenda de uma clínica",
            "agenda.importada": "Trocou a agenda de uma clínica",
        },
    ),
    "atendimento": Assunto(
        "Atendimento na recepção",
        {
            "atendimento.assumido": "Assumiu a conversa de um paciente",
            "atendimento.respondido": "Respondeu a um paciente",
            "atendimento.devolvido": "Devolveu a conversa ao assistente",
        },
    ),
}
_ESPERAS: Final[Mapping[str, str]] = {
    "pessoa": "Uma conversa que pediu uma pessoa",
    "nao_entendido": "Uma conversa que o assistente não entendeu",
    "emergencia": "Uma conversa com sinal de emergência",
}
ACOES: Final[Mapping[str, str]] = {acao: palavras for assunto in ASSUNTOS.values() for acao, palavras in assunto.acoes.items()}
_OUTRA: Final = "Outra ação"
_QUEBRAS: Final[Mapping[str, str]] = {
    "alterada": "foi alterado",
    "ausente": "sumiu",
    "fora_de_ordem": "está fora de ordem",
    "inserida": "foi posto depois",
    "cabeca_ausente": "é o último, e a marca do fim sumiu",
    "cabeca_diverge": "não é o que a marca do fim diz",
}
_LINHAS: Final[Mapping[str, str]] = {
    "registro_alterado": "o que está guardado não é o que o registro {seq} lacrou",
    "registro_ausente": "foi lacrada no registro {seq} e sumiu",
    "registro_sem_selo": "está guardada sem que registro algum a lacre",
}
_DECISOES: Final[Mapping[str, str]] = {
    "alterada": "o que está guardado não é o que foi decidido",
    "sem_registro": "está guardada sem registro na auditoria",
    "ausente": "foi registrada e sumiu",
}


@dataclass(frozen=True, slots=True)
class Nomes:
    """What is known by name, by how the audit calls it: actors as they act; políticas, editais and execuções by their id.

    `pedidos` are the numbers of pedidos, by their decisions.
    """

    atores: Mapping[str, str]
    politicas: Mapping[str, str]
    editais: Mapping[str, str]
    pedidos: Mapping[UUID, str]


@dataclass(frozen=True, slots=True)
class RegistroVisto:
    """An entry as a line of the page; `endereco` is where what it speaks of is shown, or empty."""

    seq: int
    em: datetime
    quem: str
    acao: str
    alvo: str
    endereco: str

    @classmethod
    def of(cls, entry: Entry, nomes: Nomes) -> RegistroVisto:
        """The line of an entry."""
        dados = msgspec.json.decode(entry.dados, type=dict[str, Any])
        alvo, endereco = _target(entry, dados, nomes)
        quem, acao = ator_em_palavras(entry.ator, nomes.atores), ACOES.get(entry.acao, _OUTRA)
        if entry.acao == "carta.enviada" and dados.get("via") == "arquivo":
            acao = "Gravou uma carta, sem a enviar"
        if (to := _decided(entry.acao, dados)) is not None:
            acao = f"{acao}: {to.palavra.lower()}"
        if chave := dados.get(CHAVE):
            quem = f"{quem}, por uma chave ({nomes.atores.get(f'chave:{chave}', chave).removeprefix('Chave ')})"
        return cls(seq=entry.seq, em=entry.em, quem=quem, acao=acao, alvo=alvo, endereco=endereco)


def decision_of(entry: Entry) -> UUID | None:
    """The decision that an entry speaks of; None where it speaks of something else."""
    if not entry.acao.startswith("autorizacao."):
        return None
    try:
        return UUID(entry.alvo.removeprefix("autorizacao:"))
    except ValueError:
        return None


def told(broken: Break) -> str:
    """Where the chain does not hold, and how."""
    which = f"O registro {broken.seq}" if broken.seq == broken.ate else f"Cada registro de {broken.seq} a {broken.ate}"
    return f"{which} {_QUEBRAS[broken.motivo]}."


def told_of_row(broken: RowBreak) -> str:
    """Which stored row is not what an entry sealed, and how."""
    table, _, which = broken.linha.partition(":")
    return f"{NOME_DA_LINHA[table]} {which}: {_LINHAS[broken.motivo].format(seq=broken.seq)}."


def told_of_anchor(broken: AnchorBreak) -> str:
    """Which note of the chain's end the chain does not bear out, and how."""
    return f"Linha {broken.linha} das âncoras: {ANCORAS[broken.motivo].format(seq=broken.seq)}."


def broken_in(found: Conferencia) -> list[str]:
    """Everything that does not stand, a line each."""
    decisoes = [f"Decisão {one.id}: {_DECISOES[one.motivo]}." for one in found.decisoes.quebras]
    anchored = map(told_of_anchor, found.ancoras.quebras) if found.ancoras else ()
    return [*map(told, found.cadeia.quebras), *decisoes, *anchored, *map(told_of_row, found.linhas.quebras)]


def counted(found: Conferencia) -> str:
    """How many entries were read, and how much was held against them."""
    entradas = count(found.cadeia.entradas, "registro conferido", "registros conferidos")
    held, noted = found.linhas.linhas, found.ancoras.ancoras if found.ancoras else 0
    more = [
        *([count(held, "linha lacrada", "linhas lacradas")] if held else []),
        *([count(noted, "âncora", "âncoras")] if noted else []),
    ]
    return f"{entradas}, com {' e '.join(more)}" if more else entradas


def _decided(acao: str, dados: Mapping[str, Any]) -> Rotulo | None:
    """To what a person decided, where the entry says it."""
    if acao.startswith("habilitacao."):
        return HABILITACAO.get(dados.get("decisao", ""))
    return SITUACAO_CASO.get(dados.get("situacao", "")) if acao == "caso.decidido" else None


def _target(entry: Entry, dados: Mapping[str, Any], nomes: Nomes) -> tuple[str, str]:
    """What an entry speaks of, and where it is shown."""
    kind, _, which = entry.alvo.partition(":")
    match kind:
        case "usuario" | "chave":
            por = f", que age por {ator_em_palavras(str(dados['por']), nomes.atores)}" if "por" in dados else ""
            return f"{ator_em_palavras(entry.alvo, nomes.atores)}{por}{_more(dados)}", ""
        case "link":
            return f"Para {ator_em_palavras(str(dados.get('para', '')), nomes.atores)}", ""
        case "sessao":
            return ("Por um link de entrada" if "link" in dados else ""), ""
        case "edital" | "triagem_ia_execucao":
            told, where = _edital(str(dados.get("edital") or nomes.editais.get(which, "")), "")
            why = str(dados.get("motivo", "")) if entry.acao == "edital.regras_mudadas" else ""
            return f"{told}: {mask_cpfs(why)}" if why else told, where
        case "clinica":
            return _slot(dados, which), ""
        case "conta":
            return _tried(which, dados), ""
        case "conversa":
            return _ESPERAS.get(str(dados.get("motivo", "")), "Uma conversa"), ""
        case "caso":
            edital, numero = str(dados.get("edital", "")), dados.get("caso")
            return f"Caso {numero} do edital {edital}", f"/admin/editais/{quote(edital, safe='')}/casos/{numero}"
        case "projeto" | "diligencia":
            return _edital(str(dados.get("edital", "")), str(dados.get("projeto", "")))
        case _:
            return _of_subject(entry, dados, nomes)


def _of_subject(entry: Entry, dados: Mapping[str, Any], nomes: Nomes) -> tuple[str, str]:
    """The same, where the action says what kind of thing it is."""
    subject = entry.acao.partition(".")[0]
    if subject == "autorizacao":
        de = f", que estava com {ator_em_palavras(str(dados['de']), nomes.atores)}" if entry.acao == "autorizacao.liberada" else ""
        which = decision_of(entry)
        numero = nomes.pedidos.get(which) if which else None
        return f"Pedido {mask_cpfs(numero)}{de}" if numero else f"Um pedido sem número{de}", f"/autorizacoes/{which}" if which else ""
    if subject == "fila":
        to = f", a {ator_em_palavras(str(dados['para']), nomes.atores)}" if entry.acao == "fila.dada" else ""
        return f"{count(int(dados.get('quantas', 0)), 'decisão', 'decisões')}{to}", "/autorizacoes/fila"
    if subject == "calendario":
        of = str(dados.get("administradora", ""))
        return f"Administradora {mask_cpfs(of)}" if of else "Todas as administradoras", "/autorizacoes/calendarios"
    if subject == "recurso":
        edital, numero = str(dados.get("edital", "")), dados.get("numero")
        where = f"/admin/editais/{quote(edital, safe='')}/recursos/{numero}"
        return f"Recurso nº {numero}, projeto {dados.get('projeto', '')}, {edital}", where
    if subject == "politica":
        return nomes.politicas.get(entry.alvo, "Uma política que já não existe"), ""
    return _of_setting(subject, entry.alvo, dados)


def _of_setting(subject: str, alvo: str, dados: Mapping[str, Any]) -> tuple[str, str]:
    """The same, of what is set up rather than decided."""
    if subject == "instalacao":
        return f"A organização {alvo}", ""
    if subject == "carta":
        return "Uma carta", "/admin/cartas"
    if subject == "formato":
        return f"{dados.get('nome', '')}, versão {dados.get('versao', '')}", ""
    if subject in ("entrega", "entregas"):
        return "Avisos de decisões", "/admin/entregas"
    if subject == "mapeamento":
        return f"“{dados.get('origem', '')}”", ""
    return (f"Administradora {alvo}" if subject in ("campos", "planilha") else ""), ""


def _slot(dados: Mapping[str, Any], clinica: str) -> str:
    """Where, and which slot; who it is for is with the clinic alone."""
    where = f"Clínica {clinica.removeprefix('clinic_').upper()}" if clinica.startswith("clinic_") else clinica
    told = [where, str(dados.get("medico", "")), " ".join(str(dados[one]) for one in ("data", "hora") if one in dados)]
    if "paciente" in dados:
        told.append(f"paciente {dados['paciente']}")
    return ", ".join(one for one in told if one)


def _tried(conta: str, dados: Mapping[str, Any]) -> str:
    """Which account, and from where, by what they are told apart by."""
    return f"Conta {conta[:8]}, de {str(dados.get('de', ''))[:8]}{_more(dados)}"


def _more(dados: Mapping[str, Any]) -> str:
    many = dados.get("omitidas", 0)
    return f" (e mais {count(many, 'vez', 'vezes')} na hora anterior)" if isinstance(many, int) and many else ""


def _edital(codigo: str, projeto: str) -> tuple[str, str]:
    if not codigo:
        return "Um edital", ""
    base = f"/admin/editais/{quote(codigo, safe='')}"
    return (f"Projeto {projeto}, {codigo}", f"{base}/mesa/{quote(projeto, safe='')}") if projeto else (codigo, f"{base}/triagem-ia")
