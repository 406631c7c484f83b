from reportlab.pdfgen import canvas
from reportlab.lib.pagesizes import A4
from reportlab.platypus import SimpleDocTemplate, Table, Paragraph
from reportlab.lib.styles import getSampleStyleSheet
d=SimpleDocTemplate('table.reportlab.pdf',pagesize=A4,invariant=1)
s=getSampleStyleSheet()
rows=[['product','price','in stock','delivery']]+[[f'Lamp {i}',f'{i}.90','yes' if i%2 else 'no',f'{i%5+1} days'] for i in range(1,40)]
d.build([Paragraph('Price list',s['Heading1']),Paragraph('All prices are in euros and include the delivery within Norway.',s['BodyText']),Table(rows,repeatRows=1)])
c=canvas.Canvas('form.reportlab.pdf',pagesize=A4,invariant=1)
c.drawString(72,760,'Application for membership')
f=c.acroForm
for i,(n,v) in enumerate([('applicant','Ingrid Moe'),('city','Bergen'),('phone','+47 22 55 66 77')]):
    c.drawString(72,700-i*40,n.capitalize()); f.textfield(name=n,value=v,x=160,y=692-i*40,width=250,height=22)
c.save()
c=canvas.Canvas('bold.reportlab.pdf',pagesize=A4,invariant=1)
c.setFont('Helvetica',14)
for dx in (0,.3):
    x=72
    for ch in 'Warranty terms for the pump':
        c.drawString(x+dx,760,ch); x+=c.stringWidth(ch,'Helvetica',14)
c.drawString(72,730,'The warranty of the pump is three years.')
c.drawString(72.4,730,'The warranty of the pump is three years.')
c.save()
