"""What a page says in passing after something was done: a code in the address, and its words, which no address can change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from starlette.requests import Request

PARAMETER: Final = "ok"
FEITOS: Final[Mapping[str, str]] = {
    "gravado": "Tudo gravado.",
    "enviado": "Enviado. Obrigado!",
    "importado": "Importação concluída.",
    "notas": "Importado. As notas e habilitações da planilha já valem.",
    "edital": "Edital criado. Agora traga os projetos.",
    "publicado": "Publicado. Já vale para os próximos pedidos.",
    "revogado": "Revogado. Não vale mais para os próximos pedidos.",
    "cancelado": "Cancelado. O que já tinha terminado ficou guardado.",
    "retomado": "Retomado de onde parou.",
    "desfeito": "Desfeito: voltou ao que valia antes.",
    "convidado": "Convite criado.",
    "alterado": "Alteração gravada.",
    "papel": "O papel foi mudado, e já vale.",
    "nome": "O nome foi mudado.",
    "dados": "Gravado. A pessoa é avisada; se o e-mail mudou, ela entra de novo, com o novo.",
    "acesso": "O acesso foi mudado, e já vale.",
    "revogada": "A chave foi revogada e não entra mais.",
    "organizacao": "Organização criada. Falta convidar quem a administra.",
    "organizacao_nome": "O nome foi mudado.",
    "cotas": "Cotas gravadas, e já valem.",
    "organizacao_nome_igual": "O nome já era este: nada mudou, e o motivo não foi guardado.",
    "cotas_iguais": "As cotas já eram estas: nada mudou, e o motivo não foi guardado.",
    "suspensa_antes": "Já estava suspensa: nada mudou, e o motivo não foi guardado.",
    "reativada_antes": "Já estava em uso: nada mudou, e o motivo não foi guardado.",
    "suspensa": "Suspensa. Ninguém dela entra, e nada se apagou: dá para reativar nesta página.",
    "reativada": "Reativada. Tudo continua de onde parou.",
    "senha": "Senha guardada. As suas outras sessões foram encerradas.",
    "sessoes": "Encerrado. Quem estava lá precisa entrar de novo.",
    "devolvida": "Devolvida à fila.",
    "consulta_cancelada": "A consulta foi cancelada.",
    "desfeita": "Desfeito: está como antes da decisão.",
    "visao": "Visão salva. Ela está entre as abas da fila.",
    "visao_apagada": "Visão apagada.",
    "caso_decidido": "Decisão do caso gravada. Dá para desfazer no próprio caso.",
    "caso_desfeito": "Decisão desfeita. Vale a que havia antes.",
    "caso_assumido": "O caso é seu.",
    "caso_solto": "O caso não é mais seu.",
    "caso_anotado": "Anotação guardada.",
    "avaliador": "A pessoa agora avalia este edital. Falta dar projetos a ela.",
    "avaliador_saiu": "A pessoa não avalia mais este edital. O que ela escreveu está guardado.",
    "projetos_tirados": "Projetos tirados. O que foi escrito neles está guardado.",
    "distribuido": "Projetos dados: já estão na lista de quem avalia.",
    "distribuicao_desfeita": "Desfeito: os projetos saíram da lista de quem avalia.",
    "distribuicao_em_parte": "Desfeito em parte: ficaram os projetos em que quem avalia já escreveu.",
    "sorteado": "Sorteado: os projetos já estão na lista de quem avalia.",
    "categorias": "Categorias gravadas: valem nos próximos sorteios.",
    "impedido": "Impedimento registrado: o projeto saiu da lista da pessoa, e as notas dela nele não contam.",
    "impedimento_desfeito": "Impedimento desfeito: o projeto e as notas voltaram a ser como eram.",
    "impedimento_declarado": "Registrado: este projeto não é mais seu. Se foi engano, fale com a gestão do edital.",
    "prazo": "Prazo reaberto para esta pessoa.",
    "prazo_desfeito": "Desfeito: vale o prazo de todas as pessoas.",
    "calibracao_comecada": "Calibração começada: os demais projetos ficam fechados até que todas as pessoas enviem os em comum.",
    "calibracao_aberta": "Os demais projetos estão abertos.",
    "calibracao_fechada": "Os demais projetos estão fechados de novo.",
    "calibracao_desfeita": "Calibração desfeita. O que já foi escrito ficou.",
    "lembrado": "Lembrete posto na primeira página de quem avalia.",
    "resultado": "Publicado. A versão está abaixo, como saiu; uma correção é outra versão.",
    "desistencia": "Desistência registrada. O projeto saiu da disputa, e dá para desfazer.",
    "desistencia_desfeita": "Desfeito: o projeto voltou à disputa com o que tinha.",
    "recurso_registrado": "Recurso registrado. Confira o número e entregue o recibo.",
    "recurso_respondido": "Resposta gravada. A lista já foi contada de novo.",
    "recurso_desfeito": "Resposta desfeita: vale o que havia antes dela.",
    "codigos_enviados": "Cartas com os códigos na caixa de saída: elas saem em instantes.",
    "codigo_trocado": "Código trocado. O anterior não abre mais nada.",
    "diligencia": "Diligência pedida. O endereço para responder está abaixo.",
    "diligencia_prazo": "Prazo prorrogado.",
    "diligencia_cancelada": "Diligência cancelada. O endereço não recebe mais respostas.",
    "diligencia_resposta": "Resposta registrada. Os documentos serão lidos em instantes.",
    "carta_de_novo": "A carta voltou à fila e sai em instantes.",
    "carta_entregue": "Marcada como entregue. O motivo ficou guardado.",
    "atendimento": "O assistente continua a conversa.",
}


def feito_of(request: Request) -> str:
    """The words of the code in the address; empty where there is none, or one that is not ours."""
    return FEITOS.get(request.query_params.get(PARAMETER, ""), "")
