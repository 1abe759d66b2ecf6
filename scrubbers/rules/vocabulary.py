"""The cue words themselves, by type. Plain spelling: lower case, no diacritics, no dots."""

from __future__ import annotations

from scrubbers.rules.common import plain
from scrubbers.words import word_list

_BY_TYPE: dict[str, str] = {
    "OTHER_ID": """
        order, purchase order, po, ticket, invoice, inv, lnv, booking, reservation, confirmation,
        customer, client, policy, claim, case, dispute, tracking, shipment, parcel, consignment,
        reference, ref, employee, emp, staff, worker, student, member, membership, subscriber,
        contract, serial, imei, imsi, iccid, sim, new sim, sim card, mac, mac address, vat, ein,
        employer identification, company, company registration, container, driving licence, licence,
        license, driver licence, drivers licence, driver license, driver s license,
        driver s licence, drivers license, driving license, dl, docket, record locator, locator, pnr,
        receipt, transaction, request, incident, voucher, loyalty, frequent flyer, bic, swift,
        bic swift, swift bic, support ticket, support ref, case reference, booking reference,
        order reference, agreement, application, enrolment, registration certificate, uen, abn, acn,
        gst, gstin, duns, device, chassis, vin, badge, user id, userid, account id, suspect,
        identification, registration id, subscription, lease, loan, file, medical license,
        wallet, wallet address, bitcoin, btc, ethereum, bitcoin address, npi, dea, voter card,
        pedido, factura, reserva, localizador, loc, cliente, poliza, siniestro, expediente,
        referencia, contrato, folio, folio fiscal, turno, guia, seguimiento, envio, colegiado,
        colegiada, col, cif, incidencia, caso, reclamo, reclamacion, empleado, socio, alumno,
        licencia, permiso de conducir, carnet de conducir, presupuesto, albaran, tramite, denuncia,
        num cliente, orden, comprobante, operacion, suministro, cups, permiso,
        commande, facture, dossier, contrat, police, sinistre, virement, matricule, mat, colis,
        suivi, siret, siren, tva, permis, permis b, permis de conduire, billet, bon de commande,
        devis, adherent, abonne, mandat, adherente, reclamation, allocataire, expedition,
        bestell, bestellung, bestellungs, rechnung, rechnungs, kunden, kunde, kundin, kd, auftrag,
        auftrags, vertrag, vertrags, vorgang, vorgangs, aktenzeichen, geschaftszeichen, az,
        buchung, buchungs, reservierung, reservierungs, versicherungsschein, schaden, schadens,
        sendung, sendungs, sendungsverfolgungs, personal, mitglieds, mitglied, matrikel,
        ust, ustid, ust id, umsatzsteuer, hrb, hra, glaubiger, mandats, mandatsreferenz, referenz,
        equidenpass, fuhrerschein, beleg, lieferschein, angebot, angebots, kennung, zahler, zeichen,
        verwendungszweck, ticketnummer, antrags, antrag, fahrgestell, mandatsreferenznummer, re,
        ordine, prenotazione, fattura, pratica, polizza, sinistro, codice cliente, piva, partita iva,
        p iva, patente di guida, pat b, contratto, spedizione, riferimento, rif, biglietto,
        matricola, tessera, ricevuta, protocollo, prot, bolla, fornitura, pod, segnalazione, ordini,
        encomenda, fatura, apolice, processo, protocolo, bilhete, cnpj, nipc, rastreio,
        rastreamento, carta de conducao, cnh, chamado, nota fiscal, recibo, ocorrencia, inscricao,
        fatura recibo, codigo de reserva, codigo do cliente, matricula do aluno,
        bestelling, bestel, factuur, klant, polis, schade, zaak, zaaks, boeking, boekings, boekings,
        reservering, reserverings, referentie, kenmerk, kvk, btw, rijbewijs, personeels, lid,
        pakket, zending, aanvraag, dossiernummer, meldings, melding, verzekerings, offerte,
        relatie, debiteur, debiteuren, factuurnr, ordernr, renr, kdnr, case id, ticket id, order id,
        certificate, arzt, nip, regon, zamowienie, faktura, zlecenie, umowa, polisa, sprawa,
        운전면허번호, 사업자등록번호, 주문번호, 예약번호, 注文番号, 予約番号, 订单号, 订单
    """,
    "MEDICAL_ID": """
        mrn, nhs, medical record, patient, patient id, medicare, medicaid, medicare beneficiary,
        mbi, hicn, health insurance, health card, health, ohip, chi, hospital, hospital id, ur,
        ipp, carte vitale, mutuelle, afiliacion, nuhsa, sip, tarjeta sanitaria, cip, cipa,
        historia clinica, nhc, historia, paciente, medical, insurance member,
        krankenversicherten, krankenversichertennummer, versicherten, versicherung, versicherungs,
        krankenversicherungs, krankenversicherung, kvnr, kv, vers, patienten, fall, patientenid,
        krankenkassen, egk, lanr, cns, cartao sus, sus, numero de utente, utente sns,
        beneficiario, beneficiaria, sns, tessera sanitaria, pat nr, patnr, patientnr, zorgpas,
        zorgverzekering, numero patient, dossier medical, cartao nacional de saude, convenio
    """,
    "NATIONAL_ID": """
        ssn, ssns, social security, social, sin, social insurance, nino, national insurance,
        ni, national id, id number, identity, identity card, id card, aadhaar, aadhar, aadhaar card,
        pan, pan card, permanent account, voter, voter id, itin, tax id, taxpayer, taxpayer id,
        tin, pps, ppsn, tfn, tax file, dni, nif, nie, cedula, cc, curp, rfc, rut, run, cuil, cuit,
        cedula de identidad, cedula de ciudadania, documento de identidad, documento, ine, nss,
        numero de seguridad social, seguridad social, tax, government id, id document, vat id,
        nir, securite sociale, secu, cni, carte d identite, carte identite, numero fiscal, spi,
        numero de securite sociale, steuer, steuerid, steuer id, steueridentifikations, idnr,
        personalausweis, ausweis, personalausweisnummer, sozialversicherungs, sv, svnr, rv,
        rentenversicherungs, rentenversicherung, ahv, avs, cf, codice fiscale, cie,
        carta d identita, carta identita, codicefiscale, cpf, rg, contribuinte,
        cartao de cidadao, bi, bilhete de identidade, niss, bsn, burgerservice, sofi,
        rijksregister, registre national, numero national, nn, ic, nric, fin, mykad, pesel,
        henkilotunnus, hetu, personnummer, kimlik, tc kimlik, tckn, id no, sozialversicherung,
        national registration, tax identification, resident registration, foreigner registration,
        identification card, nin, bvn, citizenship, national identity, dowod, dowod osobisty,
        주민등록번호, 외국인등록번호, 身份证, 身份证号, 身份证号码, 身分證字號, マイナンバー, 個人番号
    """,
    "PASSPORT": """
        passport, passports, passport id, pasaporte, passeport, reisepass, reisepasses, pass,
        passaporto, passaporte, paspoort, pasaport, reisepassnummer, paszport, passnummer,
        여권번호, 护照, 护照号, 護照號碼, 旅券番号, パスポート, パスポート番号
    """,
    "BANK_ACCOUNT": """
        account, acct, acc, accnum, accno, bank account, bank acct, checking account,
        savings account, a c, cuenta, cuenta bancaria, clabe, cbu, cvu, compte, compte bancaire,
        konto, konten, bankkonto, conto, conto corrente, cc bancario, conta, conta corrente,
        rekening, rekeningnr, bankrekening, sort code, sort, routing, routing transit, aba, rtg,
        blz, bankleitzahl, rib, remit routing, remit account, bban, bsb, ifsc, ach rtg, kto, agencia
    """,
    "CREDIT_CARD": """
        card, cards, credit card, debit card, creditcard, debitcard, visa, mastercard, amex,
        american express, maestro, tarjeta, carte bancaire, carte bleue, carte, cb, karte,
        kreditkarte, kreditkarten, bankkarte, girocard, carta di credito, carta, bancomat, cartao,
        cartao de credito, kaart, pas, bankpas, creditkaart, pan number, ccn, mc
    """,
    "IBAN_CODE": "iban, ibans",
    "LICENCE_PLATE": """
        plate, plates, license plate, licence plate, number plate, numberplate, reg, registration,
        vehicle registration, van reg, car reg, rego, tag, placa, placas, dominio, patente,
        immatriculation, immatriculee, immatricule, plaque, kennzeichen, autokennzeichen,
        kfz kennzeichen, kfz, targa, targata, targato, matricula, kenteken, plaka, nummerplaat,
        rekisterinumero, registreringsnummer, numer rejestracyjny
    """,
    "PHONE_NUMBER": """
        phone, phones, telephone, tel, tels, mobile, mob, cell, cellphone, call, text, texts, sms,
        whatsapp, fax, fx, ring, contact number, contact no, landline, reach me at, reached at,
        reach him at, reach her at, phone number, te,
        movil, celular, cel, telefono, telefonos, tfno, tlf, tf, tfn, fijo, wasap, guasap, llame,
        llamar, llameme, llamame, llamen, marcar, whats, tl,
        portable, appelez, appeler, appel, fixe, gsm, joindre, joignable, mobile pro, rappeler,
        handy, telefon, mobil, fon, rufen, anrufen, durchwahl, erreichbar, erreichen, mobilnummer,
        rufnummer, telefonnummer, handynummer, telefax, festnetz, ruckruf, intern, rufe,
        cellulare, chiamare, chiami, chiamami, richiami, telefonino, recapito, recapiti, fisso,
        telefone, telemovel, zap, ligar, ligue, fone, contato, contacto, telefones,
        telefoon, telefoonnummer, mobiel, bel, bellen, belt, nummer mobiel, puhelin, puhelinnumero,
        전화번호, 전화, 휴대폰, 电话, 電話, 手机, 手机号, 電話番号, 携帯, komorka
    """,
    "SECRET": """
        puk, cvv, cvc, cvv code, security code, puk code, card code, cvn, csc,
        codigo de seguridad, cryptogramme, prufziffer, kartenprufnummer, recovery code, backup code,
        otp, one time code, verification code, codigo de verificacion
    """,
    "PASSWORD": "pin, pin code, passcode, tresor pin, pincode, codigo pin, code pin, codice pin",
    "ADDRESS": """
        postcode, postcodes, post code, zip, zip code, zipcode, postal code, postal, cp, c p,
        codigo postal, plz, postleitzahl, cap, cep, code postal, pc, postal_code, psc
    """,
}

CUES: dict[str, str] = {
    plain(" ".join(phrase.split())): kind
    for kind, phrases in _BY_TYPE.items()
    for phrase in phrases.split(",")
}

# Words that may stand between a cue and its value.
LINKS: frozenset[str] = frozenset(
    word_list("""number numbers num nums nbr no nos nr n numero numeros numero nummer id ids code codes kode
    codigo codice value valor wert is was are be s it its this that which reads
    es son era est sont etait ist war lautet lauten sind e sao sono zijn
    the a an of for my your his her our their new old current same following actual nuevo nueva
    el la los las un una de del mi su tu al lo
    le les l d du des mon ma mes son sa votre vos leur au aux un une
    der die das den dem ein eine mein meine meiner ihr ihre unser unsere neue neuen mit
    il lo gli i di della dello mio mia suo sua
    o os as um uma do da dos das meu minha seu sua
    het een van mijn uw zijn haar
    on at to with con com avec am im unter auf sur sob em in op under and or y et und ed
    ending please note full complete registered listed updated
    fiscal actual pls use try now jetzt ahora agora maintenant nu
    en dans nel na no wie come comme como que qui che dass die like called below above si ja also commence par begint beginnt empieza inizia""")
)

# Words that say only the last digits follow.
ENDINGS: frozenset[str] = frozenset(
    word_list("""ending ends end last final finishing finishes digits digit four four three tail
    terminada terminado termina terminan terminacion acaba acabada acabado ultimos ultimas cifras
    digitos finissant terminant termine finit finissent derniers chiffres se par
    endet enden endend endziffern letzte letzten ziffern endung
    terminante terminata finisce ultime ultimi cifre finale
    final terminando laatste cijfers eindigt eindigend eindigen""")
)

SUFFIXES: tuple[str, ...] = (
    "nummern", "nummers", "nummer", "number", "numero", "num", "nr", "no", "id", "code", "kode",
)  # fmt: skip
